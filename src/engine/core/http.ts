import axios, { type AxiosError, isCancel } from 'axios'
import { reportNoReply, reportReply } from './connection.ts'

declare module 'axios' {
  interface AxiosRequestConfig {
    /** The caller shows a lost connection itself, so no notice does. */
    showsLoss?: true
    /** The caller shows the messages by field of a 400 itself, so no notice does. */
    showsFields?: true
    /** The caller asks for a reason where a hold may be passed, so no notice shows it. */
    passesHolds?: true
  }
}

/** The HTTP client. The shell adds the token, the CSRF header and error handling as interceptors. */
export const http = axios.create({ headers: { Accept: 'application/json' }, timeout: 30_000 })

http.interceptors.response.use(
  (reply) => {
    reportReply()
    return reply
  },
  (error: AxiosError) => {
    if (error.response && !isGatewayError(error)) reportReply()
    else if (isUnanswered(error)) reportNoReply()
    throw error
  },
)

// The browser aborts requests when the page is left.
const isLeft = ({ code, message }: AxiosError) => code === 'ECONNABORTED' && message === 'Request aborted'

const isGatewayError = ({ response }: AxiosError) => response?.status === 502 || response?.status === 504

/** True if a request left without a reply, and was not aborted by this page: the server may have processed it. */
export function isUnanswered(error: unknown): error is AxiosError {
  return axios.isAxiosError(error) && !error.response && !isCancel(error) && !isLeft(error)
}

import { AxiosError, AxiosHeaders, type AxiosResponse, type InternalAxiosRequestConfig } from 'axios'
import { loadContract } from '../../src/contract/load.ts'
import { http } from '../../src/engine/runtime/http.ts'
import type { User } from '../../src/engine/runtime/user.ts'

export const { contract } = loadContract(process.cwd())

/** A person with these role ids. */
export const person = (groups: number[], id = 7): User => ({
  id,
  username: `user${id}`,
  first_name: 'Ann',
  last_name: 'Smith',
  groups,
  status: 1,
})

export interface Answer {
  status?: number
  data?: unknown
  type?: string
}
export type Answers = Record<
  string,
  Answer | ((config: InternalAxiosRequestConfig) => Answer | Promise<Answer>)
>

/** What was sent, in order: 'POST /login/' and the whole request. */
export const sent: { call: string; config: InternalAxiosRequestConfig }[] = []

/** Answers calls by 'METHOD /path' without a server; what is not in the table cannot be reached. */
export function serve(answers: Answers): void {
  sent.length = 0
  http.defaults.adapter = async (config) => {
    const call = `${config.method?.toUpperCase()} ${config.url}`
    sent.push({ call, config })
    const entry = answers[call]
    if (!entry) throw new AxiosError('Network Error', 'ERR_NETWORK', config)
    const {
      status = 200,
      data,
      type = 'application/json',
    } = typeof entry === 'function' ? await entry(config) : entry
    const response: AxiosResponse = {
      status,
      data,
      statusText: '',
      config,
      headers: new AxiosHeaders({ 'content-type': type }),
    }
    if (status < 400) return response
    throw new AxiosError(`status ${status}`, 'ERR_BAD_REQUEST', config, undefined, response)
  }
}

/** How often a call was made. */
export const countOf = (call: string): number => sent.filter((one) => one.call === call).length

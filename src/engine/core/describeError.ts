import { isAxiosError } from 'axios'
import { isReachable } from './connection.ts'

interface ErrorDescription {
  title: string
  text: string
}

const BY_STATUS: Record<number, ErrorDescription> = {
  403: { title: 'You may not see this', text: 'Your role does not allow it.' },
  404: { title: 'This could not be found', text: 'There is no such record, or you may not see it.' },
}
const UNREACHABLE = {
  title: 'This cannot be opened now',
  text: 'There is no connection to the server. It opens automatically once the connection is back.',
}
const UNREACHABLE_CODE = {
  ...UNREACHABLE,
  text: 'There is no connection to the server. Reload the page once the connection is back.',
}
const UNANSWERED = { title: 'The server did not answer', text: 'Check your connection, then try again.' }
const OTHERWISE = 'This could not be shown'

// The browsers' messages if a chunk cannot be fetched: offline, or replaced by a newer release.
const NOT_FETCHED = /dynamically imported module|importing a module script/i
const REPLACED = {
  title: OTHERWISE,
  text: 'A part of the program could not be fetched: there may be a newer version, or no connection to the server.',
}

/** True if a lazily loaded chunk could not be fetched; only a reload helps. */
export function isNotFetched(error: unknown): boolean {
  return NOT_FETCHED.test(String(error))
}

/** The title and text of an error for the user. */
export function describeError(error: unknown): ErrorDescription {
  if (isNotFetched(error)) return isReachable() ? REPLACED : UNREACHABLE_CODE
  if (!isAxiosError(error)) return { title: OTHERWISE, text: error instanceof Error ? error.message : '' }
  if (!error.response) return isReachable() ? UNANSWERED : UNREACHABLE
  const { status, data } = error.response
  // A refused parameter: its name and what is wrong with it.
  const refused = status === 400 && data && Object.entries(data)[0]?.flat().join(' ')
  return (
    BY_STATUS[status] ?? {
      title: OTHERWISE,
      text: data?.message || refused || 'Something on the server failed.',
    }
  )
}

/** The text of a failed call, from the server if it has one. */
export function refusalText(error: unknown): string {
  const words = isAxiosError(error) ? error.response?.data?.message : undefined
  const text = typeof words === 'string' && words ? words : describeError(error).text
  return /[.!?]$/.test(text) ? text : `${text}.`
}

// Statuses after which the server may have processed the request: no reply, or that of a proxy which got none.
const WITHOUT_REPLY: unknown[] = [undefined, 502, 504]
const MAY_HAVE_ARRIVED = 'It may have arrived: if you send it again without changes, it is saved only once.'

/** The text of a form that was not sent, with a note if it may have arrived all the same. */
export function unsentText(error: unknown): string {
  const isUnknown = WITHOUT_REPLY.includes(statusOf(error))
  return `${refusalText(error)} ${isUnknown ? MAY_HAVE_ARRIVED : 'Nothing was sent.'}`
}

/** The status of a failed call; undefined without a reply. */
export function statusOf(error: unknown): number | undefined {
  return isAxiosError(error) ? error.response?.status : undefined
}

/**
 * The request ID of a failed call in the server's log; undefined unless it is a server error, because a refusal
 * explains itself.
 */
export function requestIdOf(error: unknown): string | undefined {
  if (!isAxiosError(error) || !error.response || error.response.status < 500) return undefined
  const id = error.response.headers['x-request-id']
  return typeof id === 'string' ? id : undefined
}

import { isAxiosError } from 'axios'

interface ErrorDescription {
  title: string
  text: string
}

const BY_STATUS: Record<number, ErrorDescription> = {
  403: { title: 'You may not see this', text: 'Your role does not allow it.' },
  404: { title: 'This is not here', text: 'There is no such record, or you may not see it.' },
}
const UNANSWERED = { title: 'The server did not answer', text: 'Check your connection, then try again.' }
const OTHERWISE = 'This could not be shown'

// What browsers say where a part of the program cannot be fetched: offline, or replaced by a newer one.
const NOT_FETCHED = /dynamically imported module|importing a module script/i
const REPLACED = {
  title: OTHERWISE,
  text: 'A part of the program could not be fetched: there may be a newer version, or no connection to the server.',
}

/** True if a lazily loaded chunk could not be fetched; only a reload helps. */
export function isNotFetched(error: unknown): boolean {
  return NOT_FETCHED.test(String(error))
}

/** What went wrong, in words for the person. */
export function describeError(error: unknown): ErrorDescription {
  if (isNotFetched(error)) return REPLACED
  if (!isAxiosError(error)) return { title: OTHERWISE, text: error instanceof Error ? error.message : '' }
  if (!error.response) return UNANSWERED
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

/** Why a call failed, in the server's own words where it has some. */
export function refusalText(error: unknown): string {
  const words = isAxiosError(error) ? error.response?.data?.message : undefined
  const text = typeof words === 'string' && words ? words : describeError(error).text
  return /[.!?]$/.test(text) ? text : `${text}.`
}

/** The status of a failed call; undefined where the server gave none. */
export function statusOf(error: unknown): number | undefined {
  return isAxiosError(error) ? error.response?.status : undefined
}

/**
 * The id by which the server's log names a call that failed; undefined where nothing was wrong on the server: a refusal
 * says itself what to do.
 */
export function requestIdOf(error: unknown): string | undefined {
  if (!isAxiosError(error) || !error.response || error.response.status < 500) return undefined
  const id = error.response.headers['x-request-id']
  return typeof id === 'string' ? id : undefined
}

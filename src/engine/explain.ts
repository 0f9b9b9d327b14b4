import { isAxiosError } from 'axios'

interface Explanation {
  title: string
  text: string
}

const BY_STATUS: Record<number, Explanation> = {
  403: { title: 'You may not see this', text: 'Your role does not allow it.' },
  404: { title: 'This is not here', text: 'There is no such record, or you may not see it.' },
}
const UNANSWERED = { title: 'The server did not answer', text: 'Check your connection, then try again.' }
const OTHERWISE = 'This could not be shown'

/** What went wrong, in words for the person. */
export function explain(error: unknown): Explanation {
  if (!isAxiosError(error)) return { title: OTHERWISE, text: error instanceof Error ? error.message : '' }
  if (!error.response) return UNANSWERED
  const { status, data } = error.response
  return BY_STATUS[status] ?? { title: OTHERWISE, text: data?.message ?? 'Something on the server failed.' }
}

/** The status of a failed call; undefined where the server gave none. */
export function statusOf(error: unknown): number | undefined {
  return isAxiosError(error) ? error.response?.status : undefined
}

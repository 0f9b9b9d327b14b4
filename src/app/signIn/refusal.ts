import { isAxiosError } from 'axios'

/** What the server has against a call: its words, and messages by field. */
interface Refusal {
  code?: string
  message?: string
  [field: string]: unknown
}

/** What stands on the page itself of a failed call; undefined where a toast tells of a broken server or connection. */
export function refusalOf(reason: unknown): Refusal | undefined {
  if (!isAxiosError(reason) || !reason.response || reason.response.status >= 500) return undefined
  return reason.response.data ?? {}
}

/** The words of a refusal: its message, else those of one field. */
export function wordsOf(refusal: Refusal | undefined, field: string): string | undefined {
  const messages = refusal?.[field]
  return refusal?.message ?? (Array.isArray(messages) ? messages.join(' ') : undefined)
}

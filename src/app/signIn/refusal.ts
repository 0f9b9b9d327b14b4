import { isAxiosError } from 'axios'

/** The body of an error response: a message, and messages by field. */
interface Refusal {
  code?: string
  message?: string
  [field: string]: unknown
}

/** The error of a failed call to show on the page; undefined if a toast reports a server or connection error. */
export function refusalOf(reason: unknown): Refusal | undefined {
  if (!isAxiosError(reason) || !reason.response || reason.response.status >= 500) return undefined
  return reason.response.data ?? {}
}

/** The text of a refusal: its message, else those of one field. */
export function refusalText(refusal: Refusal | undefined, field: string): string | undefined {
  const messages = refusal?.[field]
  return refusal?.message ?? (Array.isArray(messages) ? messages.join(' ') : undefined)
}

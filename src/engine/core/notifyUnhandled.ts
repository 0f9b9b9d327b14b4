import { isAxiosError } from 'axios'
import { requestIdOf } from './describeError.ts'
import { fieldErrors } from './fieldErrors.ts'
import { causeOf, notify } from './notices.ts'

/** Shows a notice for a failed call that the HTTP interceptor left to the screen. */
export function notifyUnhandled(error: unknown): void {
  if (!isAxiosError(error) || (error as { isNotified?: boolean }).isNotified !== false) return
  const message = error.response?.data?.message
  const words = Object.values(fieldErrors(error) ?? {}).flat()
  const text = words.length > 0 ? words.join(' ') : typeof message === 'string' ? message : undefined
  if (!text) return
  notify({
    kind: 'error',
    title: 'Warning',
    text,
    cause: causeOf(error.config),
    requestId: requestIdOf(error),
  })
}

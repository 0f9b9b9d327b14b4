import { isAxiosError } from 'axios'
import type { FieldErrors } from '../../contract/validateAnswers.ts'

/** The messages by field of a 400; undefined if a call failed for another reason. */
export function fieldErrors(error: unknown): FieldErrors | undefined {
  if (!isAxiosError(error) || error.response?.status !== 400) return undefined
  const entries = Object.entries((error.response.data ?? {}) as Record<string, unknown>)
  const listed = entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1]))
  return listed.length > 0 ? Object.fromEntries(listed) : undefined
}

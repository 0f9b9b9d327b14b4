import type { FieldErrors } from '../../contract/validateAnswers.ts'

const MOST_REPORTED = 20
const LONGEST_REPORTED = 100

/** Field errors for unknown keys, for the first 20 of them and with 100 characters of each, however many were sent. */
export function unknownKeyErrors(keys: string[], message: (key: string) => string): FieldErrors {
  const reported = keys.slice(0, MOST_REPORTED).map((key) => key.slice(0, LONGEST_REPORTED))
  return Object.fromEntries(reported.map((key) => [key, [message(key)]]))
}

import type { FieldErrors } from '../../../contract/validateAnswers.ts'

const MAX_REPORTED = 20
const MAX_KEY_LENGTH = 100

/** Field errors for the first unknown keys, each truncated, so that the reply stays small. */
export function unknownKeyErrors(keys: string[], message: (key: string) => string): FieldErrors {
  const reported = keys.slice(0, MAX_REPORTED).map((key) => key.slice(0, MAX_KEY_LENGTH))
  return Object.fromEntries(reported.map((key) => [key, [message(key)]]))
}

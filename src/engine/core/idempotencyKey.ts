import { isAxiosError } from 'axios'
import { useRef } from 'react'

/** A new key by which the server recognises a repeated POST; randomUUID would need HTTPS. */
export function newIdempotencyKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((n) => n.toString(16).padStart(2, '0')).join('')
}

/** True if the server refused a key because the same form had arrived before, with other values. */
export function isUsedKey(error: unknown): boolean {
  return isAxiosError(error) && error.response?.data?.code === 'usedKey'
}

/**
 * The idempotency key of a form: the same for every attempt, so that a repeat after a lost reply adds nothing twice.
 * Call `renewIfUsed` with the error of each attempt: after the error that the form has arrived already, the next
 * attempt gets a new key.
 */
export function useFormKey() {
  const key = useRef<string>(undefined)
  key.current ??= newIdempotencyKey()
  const renewIfUsed = (error: unknown) => {
    if (isUsedKey(error)) key.current = newIdempotencyKey()
  }
  return { current: () => key.current!, renewIfUsed }
}

import { isAxiosError } from 'axios'

/** A call that an automation of the case type refuses. */
export interface Held {
  message: string
  hold: number
  label: string
  may_pass: boolean
  /** Whom to ask who may pass it. */
  ask: string | null
}

/** What holds a call, in its error; undefined for any other error. */
export function heldOf(error: unknown): Held | undefined {
  if (!isAxiosError(error) || error.response?.status !== 409) return undefined
  const data = (error.response.data ?? {}) as Partial<Held> & { code?: string }
  return data.code === 'held' ? (data as Held) : undefined
}

/** The text of a hold: why, and whom to ask. */
export function heldText({ message, ask }: Held): string {
  return [`${message}.`, ask].filter(Boolean).join(' ')
}

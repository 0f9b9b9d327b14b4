import { setTimeout as sleep } from 'node:timers/promises'

/** SQLSTATEs of a deadlock, and of a statement after a failed one, which may have been a deadlock. */
const CODES = ['40P01', '25P02']
const ATTEMPTS = 3
/** Longest pause before a repetition, in milliseconds; its length is random, so that the same two do not meet again. */
const MAX_PAUSE_MS = 50

/** Runs a transaction again that PostgreSQL ended because it and another one waited for each other. */
export async function repeatDeadlocked<T>(transaction: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await transaction()
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (!CODES.includes(code) || attempt === ATTEMPTS) throw error
    }
    await sleep(Math.random() * MAX_PAUSE_MS)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that a start waits for the process before it to end: it drains, completes its calls and stops. */
export const PATIENCE_MS = 20_000
/** Waits of less than this are not worth a sentence. */
const NOTICE_MS = 1000
const RETRY_MS = 100

/** The wait of one start, for what another process still holds. */
export interface Patience {
  /**
   * Waits a moment and returns true; returns false once the time is over. `held` is printed if the wait is noticeable.
   */
  wait(held: string): Promise<boolean>
}

export function patience(milliseconds = PATIENCE_MS): Patience {
  const start = Date.now()
  let isPrinted = false
  return {
    async wait(held) {
      const waited = Date.now() - start
      if (waited >= milliseconds) return false
      if (waited >= NOTICE_MS && !isPrinted) {
        isPrinted = true
        console.warn(`${held} Waiting up to ${Math.round(milliseconds / 1000)} seconds.`)
      }
      await sleep(RETRY_MS)
      return true
    },
  }
}

import type { Client } from 'pg'
import type { MigrationLock } from './migrationLock.ts'
import { LOCK_TIMEOUT_MS, retryForLock } from './retryForLock.ts'

export interface MigrationContext {
  client: Client
  lock: MigrationLock
  /** Seconds for which a statement is retried while it does not get its locks. */
  patience: number
  report: (words: string) => void
}

/** Does work in a transaction that gives up soon if it does not get its locks, and tries again. */
export function inShortTransaction<T>(
  { client, lock, patience, report }: MigrationContext,
  what: string,
  work: () => Promise<T>,
): Promise<T> {
  const transaction = async () => {
    lock.check()
    await client.query('begin')
    try {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = 0`)
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {}) // the first error is the one to report
      throw error
    }
  }
  return retryForLock(transaction, { patience, report, what, waitsFor: () => lock.waitOf(client) })
}

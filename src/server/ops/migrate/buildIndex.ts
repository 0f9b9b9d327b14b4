import { escapeIdentifier } from 'pg'
import { announce, estimatedRows, PROGRESS_MS, type RowRate } from './progress.ts'
import { retryForLock } from './retryForLock.ts'
import { inShortTransaction } from './shortTransaction.ts'
import { beginStep, finishStep, type RunningStep } from './stepRecords.ts'
import { indexName } from './steps.ts'

const RATE: RowRate = { verb: 'builds an index on', rowsPerSecond: 100_000 }

/**
 * Runs a concurrent step: creates or drops an index without locking its table. An attempt that failed or was killed
 * leaves an invalid index, which is dropped and created again.
 */
export async function buildIndex(running: RunningStep): Promise<void> {
  const { client, lock, patience, report, step, title } = running
  const name = indexName(step)!
  const creates = !/^\s*drop\b/i.test(step.sql.replaceAll(/--.*/g, ''))
  await inShortTransaction(running, title, () => beginStep(running))
  // It waits for transactions that began before, but nobody waits for it meanwhile.
  await client.query(`set lock_timeout = ${patience * 1000}; set statement_timeout = 0`)
  const timer = setInterval(async () => {
    const progress = await lock.indexProgress(client).catch(() => undefined)
    if (progress) report(`${title}: ${progress}.`)
  }, PROGRESS_MS)
  try {
    await retryForLock(
      async () => {
        lock.check()
        const state = await stateOf(running, name)
        if (state === 'invalid')
          await client.query(`drop index concurrently if exists ${escapeIdentifier(name)}`)
        if (creates ? state === 'valid' : state !== 'valid') return
        if (creates)
          announce(running, RATE, await estimatedRows(client, tableOf(step.sql)), tableOf(step.sql))
        await client.query(step.sql)
      },
      { patience, report, what: title, waitsFor: () => lock.waitOf(client) },
    )
  } finally {
    clearInterval(timer)
    await client.query('reset lock_timeout; reset statement_timeout').catch(() => {}) // the connection may be lost
  }
  await inShortTransaction(running, title, () => finishStep(running))
}

async function stateOf({ client }: RunningStep, index: string): Promise<'valid' | 'invalid' | 'none'> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [escapeIdentifier(index)],
  )
  if (rows.length === 0) return 'none'
  return rows[0].indisvalid ? 'valid' : 'invalid'
}

function tableOf(sql: string): string {
  return sql.match(/\bon (?:only )?"?(\w+)/i)?.[1] ?? ''
}

import { setTimeout as sleep } from 'node:timers/promises'
import { escapeIdentifier } from 'pg'
import { announce, duration, PROGRESS_MS, type RowRate } from './progress.ts'
import { inShortTransaction } from './shortTransaction.ts'
import { beginStep, finishStep, type RunningStep } from './stepRecords.ts'

/** Milliseconds that a batch should take: people who change its rows wait until it ends. */
const TARGET_MS = 150
const FIRST_ROWS = 200
const MAX_ROWS = 20_000
/** Shortest pause after a batch, which otherwise lasts as long as the batch. */
const MIN_PAUSE_MS = 5
/** Rows that a batched step fills on a busy machine, pauses included; 437 were measured on fully used cores. */
const RATE: RowRate = { verb: 'fills', rowsPerSecond: 500 }

interface Walk {
  last: number
  end: number
  done: number
  total: number
}

/**
 * Runs a batched step: its statement for one range of ids of its table after the other. Each runs in a transaction that
 * also records how far the step is, so that a killed step continues there. It ends at the highest id that its table had
 * at the beginning: earlier steps must provide for rows that are inserted meanwhile.
 */
export async function runBatches(running: RunningStep): Promise<void> {
  const { step, title, report } = running
  let walk = await inShortTransaction(running, title, () => beginWalk(running))
  if (walk.done === 0) announce(running, RATE, walk.total)
  else report(`${title}: goes on after ${walk.done} of ${walk.total} rows.`)
  const begun = { at: performance.now(), done: walk.done }
  let reported = begun.at
  let size = FIRST_ROWS
  while (walk.last < walk.end) {
    const since = performance.now()
    walk = await inShortTransaction(running, title, () => runBatch(running, walk, size))
    const took = performance.now() - since
    size = Math.round(Math.min(MAX_ROWS, Math.max(1, size * Math.min(2, Math.max(0.5, TARGET_MS / took)))))
    if (performance.now() - reported > PROGRESS_MS) {
      reported = performance.now()
      const left = ((walk.total - walk.done) * (reported - begun.at)) / (walk.done - begun.done)
      const percent = Math.floor((100 * walk.done) / walk.total)
      report(`${title}: ${percent} % of ${step.table}, ${duration(left / 1000)} left.`)
    }
    if (walk.last < walk.end) await sleep(Math.max(MIN_PAUSE_MS, took))
  }
  await inShortTransaction(running, title, () => finishStep(running))
  if (walk.total > 0) report(`${title}: done, ${walk.done} rows of ${step.table}.`)
}

/** Records the beginning of a walk, or reads how far an earlier one came. */
async function beginWalk(running: RunningStep): Promise<Walk> {
  const { client, migration, step } = running
  await beginStep(running)
  const key = [migration.name, step.number]
  await client.query(
    `update migration_step set last_id = t.first - 1, end_id = t.last, rows_total = t.n
      from (select coalesce(min(id), 0) as first, coalesce(max(id), -1) as last, count(*) as n from ${escapeIdentifier(step.table!)}) t
      where migration = $1 and step = $2 and last_id is null`,
    key,
  )
  const { rows } = await client.query<Walk>(
    `select last_id::float8 as last, end_id::float8 as "end", rows_done::float8 as done, rows_total::float8 as total
      from migration_step where migration = $1 and step = $2`,
    key,
  )
  return rows[0]
}

async function runBatch({ client, migration, step }: RunningStep, walk: Walk, size: number): Promise<Walk> {
  const { rows } = await client.query<{ last: number; n: number }>(
    `select coalesce(max(id), $2)::float8 as last, count(*)::int as n from (
      select id from ${escapeIdentifier(step.table!)} where id > $1 and id <= $2 order by id limit $3) batch`,
    [walk.last, walk.end, size],
  )
  const [{ last, n }] = rows
  // A few rows of a large table are found by a bitmap, which ends, and not by a walk in the order of a limit: of 200,000
  // clients, 060 would take a second for each.
  await client.query('set local enable_indexscan = off')
  if (n > 0) await client.query(step.sql, [walk.last + 1, last])
  await client.query(
    `update migration_step set last_id = $3, rows_done = rows_done + $4, updated_at = now()
      where migration = $1 and step = $2`,
    [migration.name, step.number, last, n],
  )
  return { ...walk, last, done: walk.done + n }
}

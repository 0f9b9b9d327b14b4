import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { isBusy } from '../../core/sqlProblem.ts'

/** Rows per transaction of a move. */
const BATCH = 2000
/** Attempts for a lock of the audit, which every writing transaction holds for a moment. */
const ATTEMPTS = 30
const RETRY_DELAY_MS = 1000

interface Options {
  /** Ends a move after the current batch; the next call goes on with it. */
  ending?: AbortSignal
  batch?: number
}

/**
 * Creates the missing partitions of the audit, of this year and the next, and moves their rows out of audit_other while
 * people work. It can be interrupted at any time and called again, also by several servers at once.
 */
export async function addAuditYears(
  db: Db,
  { ending = new AbortController().signal, batch = BATCH }: Options = {},
): Promise<void> {
  const years = await missingYears(db)
  if (years.length === 0) return
  const isMove = sql`to_regclass('audit_moving') is not null
    or exists (select from audit_other where extract(year from at at time zone 'UTC') = any(${years}))`
  if (!(await value(db, isMove))) return await withLock(ending, () => inOneTransaction(db))
  const move = await withLock(ending, () => value<number | null>(db, sql`begin_audit_move()`))
  if (!move) return
  // Later rows are mirrored by a trigger.
  const until = await value<number | null>(db, sql`(select max(id) from audit_other)`)
  for (let last: number | null | undefined = -1; last !== null; ) {
    const startedAt = performance.now()
    const after: number = last
    last = await withLock(ending, () =>
      value<number | null>(db, sql`copy_audit_rows(${move}, ${after}, ${until}, ${batch})`),
    )
    if (last === undefined) return
    // A pause as long as the batch leaves the database to people.
    await sleep(performance.now() - startedAt)
  }
  await sql`analyze audit_moving`.execute(db).catch(() => undefined) // another server may have ended the move
  await withLock(ending, () => value(db, sql`end_audit_move(${move})`))
  await sql`select protect_audit()`.execute(db)
}

/** The years without a partition. */
export function missingYears(db: Db): Promise<number[]> {
  return value(db, sql`missing_audit_years()`)
}

/** True if the role of the connection may change the table `audit`. */
export async function mayPartition(db: Db): Promise<boolean> {
  return value(db, sql`(select pg_has_role(relowner, 'usage') from pg_class where oid = 'audit'::regclass)`)
}

function inOneTransaction(db: Db): Promise<void> {
  return db.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = '500ms'`.execute(tx)
    await sql`select add_audit_years()`.execute(tx)
  })
}

/** Repeats work that gives up a lock soon; undefined if it ended without it because the server closes. */
async function withLock<T>(ending: AbortSignal, work: () => Promise<T>): Promise<T | undefined> {
  for (let attempt = 1; !ending.aborted; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || attempt === ATTEMPTS) throw error
      await sleep(RETRY_DELAY_MS)
    }
  }
}

async function value<T>(db: Db, expression: ReturnType<typeof sql>): Promise<T> {
  const { rows } = await sql<{ value: T }>`select ${expression} as value`.execute(db)
  return rows[0].value
}

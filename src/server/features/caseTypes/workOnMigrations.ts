import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'
import { leaseNext, postpone, type Queue, releaseLease, renewLease } from '../../core/queue.ts'
import { type BehindRecord, recordsBehind, storeMoved } from '../../records/answerMigrations/moveAnswers.ts'
import { ANSWERED, type AnsweredEntity, hasAny } from '../../records/answerMigrations/pendingMigrations.ts'

const QUEUE: Queue = { table: 'answer_migrations', leaseSeconds: 60 }
const IS_MOVING = sql`state = 'moving'`
/** Number of records in one transaction: a save of one of them waits until it ends. */
const BATCH = 100

interface Migration {
  id: number
  case_type: number
  version: number
  case_sources: string[]
  issue_sources: string[]
}
interface Context {
  db: Db
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Ends the work after the current batch; the next run continues there. */
  ending: AbortSignal
}

/**
 * Moves the stored answers of all publications that no other server is moving; several servers share the work. Returns
 * how many publications are done, whose records can be validated then.
 */
export async function workOnMigrations({ db, log, ending }: Context): Promise<number> {
  const worker = randomUUID()
  let done = 0
  while (!ending.aborted) {
    const migration = await leaseNext<Migration>(db, QUEUE, worker, {
      where: IS_MOVING,
      returning: sql`id, case_type, version, case_sources, issue_sources`,
    })
    if (!migration) break
    const lease = { id: migration.id, worker }
    try {
      const isMoved = await moveAll(db, migration, worker, ending)
      // Records that others had locked are moved a little later.
      const set = isMoved ? sql`state = 'moved'` : sql`run_at = now() + interval '1 second'`
      await releaseLease(db, QUEUE, lease, { set })
      if (isMoved) done++
    } catch (error) {
      const { code } = error as { code?: string }
      log.warn({ migration: migration.id, code }, 'moving answers failed')
      await postpone(db, QUEUE, lease, { code })
    }
  }
  return done
}

/** Moves the answers of all records in batches; true if none is left. */
async function moveAll(db: Db, migration: Migration, worker: string, ending: AbortSignal): Promise<boolean> {
  for (const name of ['case', 'issue'] as const) {
    for (let last: number | undefined = 0; last !== undefined; ) {
      if (ending.aborted) return false
      last = await moveBatch(db, { migration, name, worker, after: last })
    }
  }
  const left = await Promise.all((['case', 'issue'] as const).map((name) => isAnyLeft(db, migration, name)))
  return !left.includes(true)
}

interface Batch {
  migration: Migration
  name: AnsweredEntity
  worker: string
  /** Id of the last record of the batch before. */
  after: number
}

/**
 * Moves a batch in one transaction; returns the id of its last record, undefined if there is none or the lease is over.
 */
async function moveBatch(db: Db, { migration, name, worker, after }: Batch): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    if (!(await renewLease(tx, QUEUE, { id: migration.id, worker }, { where: IS_MOVING }))) return undefined
    const where = sql`${isLeft(migration, name)} and r.id > ${after}`
    const { rows } =
      await sql<BehindRecord>`${recordsBehind(name, where, sql`limit ${BATCH} for update of r skip locked`)}`.execute(
        tx,
      )
    await storeMoved(tx, name, rows)
    return rows.at(-1)?.id
  })
}

/** True for a record r of the case type with answers that the migration has not reached. */
function isLeft({ case_type, version, ...sources }: Migration, name: AnsweredEntity): Sql {
  const names = sql`${sources[`${name}_sources`]}::text[]`
  const isOfType =
    name === 'case'
      ? sql`r.case_type = ${case_type}`
      : sql`r."case" in (select k.id from cases k where k.case_type = ${case_type})`
  return sql`${isOfType} and r.case_type_version < ${version} and ${hasAny(sql`r`, names)}`
}

async function isAnyLeft(db: Db, migration: Migration, name: AnsweredEntity): Promise<boolean> {
  const { rows } =
    await sql`select from ${sql.table(ANSWERED[name].table)} r where ${isLeft(migration, name)} limit 1`.execute(
      db,
    )
  return rows.length > 0
}

/** Lets the answers be moved again of records that a call saved by an older form while it was published. */
export async function reopenMigrations(db: Db): Promise<void> {
  const { rows } =
    await sql<Migration>`select id, case_type, version, case_sources, issue_sources from answer_migrations
    where state = 'moved' and at > now() - interval '1 day'`.execute(db)
  for (const migration of rows) {
    const left = (await isAnyLeft(db, migration, 'case')) || (await isAnyLeft(db, migration, 'issue'))
    if (left)
      await sql`update answer_migrations set state = 'moving', run_at = now() where id = ${migration.id}`.execute(
        db,
      )
  }
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { type AnswerMove, movesBySource, sourcesOf } from '../../../contract/answerMigration/answerMoves.ts'
import type {
  DryRun,
  OccurringValue,
  RecordToLookAt,
  TriedMove,
} from '../../../contract/answerMigration/dryRun.ts'
import { takenOver } from '../../../contract/answerMigration/translateAnswers.ts'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { isSet } from '../../../contract/when.ts'
import type { Db } from '../../core/db.ts'
import { currentAnswers } from '../../records/answerMigrations/currentAnswers.ts'
import { type BehindRecord, recordsBehind } from '../../records/answerMigrations/moveAnswers.ts'
import type { AnsweredEntity } from '../../records/answerMigrations/pendingMigrations.ts'

const PAGE = 1000
const MAX_VALUES = 200
const MAX_LISTED = 200
/** Distinct values that are counted of a field; a text may have one in each record. */
const MAX_DISTINCT = 20_000

/** Tries moves on all stored answers of a case type. */
export async function dryRunOf(
  db: Db,
  caseType: number,
  moves: Record<MetaName, AnswerMove[]>,
): Promise<DryRun> {
  const run: DryRun = {
    records: 0,
    answers: 0,
    same: 0,
    table: 0,
    look: 0,
    moves: [],
    to_look_at: [],
    at: new Date().toISOString(),
  }
  for (const entity of ['case', 'issue'] as const)
    await tryEntity(db, caseType, entity, moves[`${entity}_meta`], run)
  await nameClients(db, run.to_look_at)
  return run
}

async function tryEntity(
  db: Db,
  caseType: number,
  entity: AnsweredEntity,
  moves: AnswerMove[],
  run: DryRun,
): Promise<void> {
  if (moves.length === 0) return
  const meta: MetaName = `${entity}_meta`
  const tried = new Map(moves.map((move) => [move.name, triedOf(meta, move)]))
  const names = sql`${sourcesOf(moves)}::text[]`
  const isOfType =
    entity === 'case'
      ? sql`r.case_type = ${caseType}`
      : sql`r."case" in (select k.id from cases k where k.case_type = ${caseType})`
  for (let last = 0; ; ) {
    const where = sql`${isOfType} and (r.answers ?| ${names} or exists (select from answer_migrations m
      where m.case_type = ${caseType} and m.version > r.case_type_version)) and r.id > ${last}`
    const page = recordsBehind(entity, where, sql`limit ${PAGE}`)
    const { rows } = await sql<BehindRecord>`${page}`.execute(db)
    if (rows.length === 0) break
    for (const row of rows) tryRecord(row, { entity, meta, moves, tried, run })
    last = rows[rows.length - 1].id
    await nextTurn()
  }
  for (const { counts, ...move } of tried.values()) {
    const values = [...counts.values()].sort((a, b) => b.count - a.count)
    run.moves.push({
      ...move,
      values: values.slice(0, MAX_VALUES),
      more: Math.max(0, values.length - MAX_VALUES),
    })
  }
}

type Counting = Omit<TriedMove, 'values' | 'more'> & { counts: Map<string, OccurringValue> }

function triedOf(meta: MetaName, { name, from }: AnswerMove): Counting {
  return { meta, name, from, same: 0, table: 0, look: 0, counts: new Map() }
}

interface Trial {
  entity: AnsweredEntity
  meta: MetaName
  moves: AnswerMove[]
  tried: Map<string, Counting>
  run: DryRun
}

function tryRecord(row: BehindRecord, { entity, meta, moves, tried, run }: Trial): void {
  const { answers } = currentAnswers(row, row.pending ?? [])
  let isMoving = false
  for (const [from, sharing] of movesBySource(moves)) {
    const value = answers[from]
    if (!isSet(value)) continue
    isMoving = true
    run.answers++
    const results = sharing.map((move) => ({ move, result: takenOver(value, move) }))
    const fitting = results.flatMap(({ result }) => result ?? [])
    const kind = fitting.length === 0 ? 'look' : fitting.some(({ by }) => by === 'table') ? 'table' : 'same'
    run[kind]++
    for (const { move, result } of results) count(tried.get(move.name)!, kind, value, result)
    if (kind === 'look' && run.to_look_at.length < MAX_LISTED)
      run.to_look_at.push({
        entity,
        id: row.id,
        case: row.case,
        meta,
        names: sharing.map(({ name }) => name),
        value,
      })
  }
  if (isMoving) run.records++
}

function count(
  tried: Counting,
  kind: 'same' | 'table' | 'look',
  value: unknown,
  result: ReturnType<typeof takenOver>,
): void {
  tried[kind]++
  const key = JSON.stringify(value)
  const known = tried.counts.get(key)
  if (known) known.count++
  else if (tried.counts.size < MAX_DISTINCT)
    tried.counts.set(key, { value, count: 1, ...(result && { by: result.by, is: result.value ?? null }) })
}

async function nameClients(db: Db, listed: RecordToLookAt[]): Promise<void> {
  const { rows } = await sql<{
    id: number
    name: string
  }>`select k.id, c.first_name || ' ' || c.last_name as name
    from cases k join clients c on c.id = k.client where k.id = any(${listed.map((one) => one.case)}::int[])`.execute(
    db,
  )
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  for (const one of listed) one.client_name = names.get(one.case)
}

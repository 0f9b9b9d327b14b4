import { sql } from 'kysely'
import type { MetaName } from '../../../contract/meta/metaTypes.ts'
import { type SeenValue, sourceOfPath } from '../../../contract/seen.ts'
import { STATUS } from '../../../contract/status.ts'
import { isSet, type Values, valueAt } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { today } from '../../core/today.ts'
import { readCurrent, withPending } from '../answerMigrations/readCurrent.ts'
import { WITHHELD_COLUMNS } from '../query/withheldAnswers.ts'

/**
 * A value from outside as it is stored. One of a last record has the names of the fields that follow from it, and the
 * records that it follows from itself: a person who may not see all of them may not see these fields either.
 */
export interface StoredSeen extends SeenValue {
  follows?: string[]
  through?: number[]
}
export type StoredSeenValues = Record<string, StoredSeen>

/** The last records that a value is from or follows from. */
export function recordsOf({ record, through = [] }: StoredSeen): number[] {
  return record === undefined ? [] : [record, ...through]
}

/** A record whose form reads values from outside, and the records around it. */
export interface Around {
  which: MetaName
  caseType: number
  /** Rows of the client, and of the case of an issue with its answers; a new record has no id. */
  client: Values
  caseRecord?: Values
  /** Id of the record itself; undefined for a new one. */
  record?: number
}

/** The present values at some paths, as the caller may see them; one that is not there has the value null. */
export async function readOutside(call: Call, around: Around, paths: string[]): Promise<StoredSeenValues> {
  const { client, caseRecord } = around
  const last = paths.some(isOfLast) ? await lastRecord(call, around) : undefined
  const day = today(call.settings.TIME_ZONE)
  const records = { client, case: caseRecord, last: last && { answers: last.answers } }
  const originOf = (path: string): Omit<StoredSeen, 'value'> => {
    if (isOfLast(path)) return last ? { record: last.id, day: last.day, ...throughOf(last, path) } : {}
    const id = sourceOfPath(path) === 'client' ? client.id : caseRecord?.id
    return { ...(isSet(id) && { record: Number(id) }), day }
  }
  return Object.fromEntries(
    paths.map((path) => [path, { value: valueAt(path, { with: records }) ?? null, ...originOf(path) }]),
  )
}

/** The records that an answer of the last record follows from itself. */
function throughOf({ answers_seen }: LastRecord, path: string): Pick<StoredSeen, 'through'> {
  const [, name] = path.split('.')
  const through = Object.values(answers_seen).flatMap(({ record, through: further = [], follows = [] }) =>
    record !== undefined && follows.includes(name) ? [record, ...further] : [],
  )
  return through.length > 0 ? { through: [...new Set(through)] } : {}
}

export function isOfLast(path: string): boolean {
  return sourceOfPath(path) === 'last'
}

interface LastRecord extends Row {
  id: number
  answers: Values
  answers_seen: StoredSeenValues
  /** YYYY-MM-DD */
  day: string
}

/**
 * The last case, or issue, of the client and case type before a record by their days, among those that the caller may
 * see; of several of one day the one with the highest number.
 */
async function lastRecord(
  { db, me, settings }: Call,
  { which, caseType, client, record }: Around,
): Promise<LastRecord | undefined> {
  if (!isSet(client.id)) return undefined
  const isCase = which === 'case_meta'
  const { answers } = WITHHELD_COLUMNS[isCase ? 'case' : 'issue']
  const dayOf = (row: Sql) =>
    isCase ? sql`(${row}.created_at at time zone ${settings.TIME_ZONE})::date` : sql`${row}.start_date`
  const day = dayOf(sql`r`)
  const isBefore =
    record === undefined
      ? sql`true`
      : sql`(${day}, r.id) < (select ${dayOf(sql`o`)}, o.id from ${sql.table(isCase ? 'cases' : 'issues')} o where o.id = ${record})`
  const { rows } =
    await sql<LastRecord>`select r.id, ${answers(me, 'r')} as answers, r.hidden_answers, r.answers_seen, ${day}::text as day
      ${withPending({ $id: isCase ? 'case' : 'issue' })}
    from ${isCase ? sql`cases r` : sql`cases k join issues r on r."case" = k.id`}
    where ${isCase ? sql`r` : sql`k`}.client = ${client.id} and ${isCase ? sql`r` : sql`k`}.case_type = ${caseType}
      and r.status = ${STATUS.active} ${isCase ? sql`` : sql`and k.status = ${STATUS.active}`} and ${isBefore}
      and ${visibleTo(isCase ? 'case' : 'issue', me, 'r')}
    order by ${day} desc, r.id desc limit 1`.execute(db)
  return rows[0] && readCurrent(rows[0])
}

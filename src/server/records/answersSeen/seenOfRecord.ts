import { sql } from 'kysely'
import { followersOf, followersOfLast } from '../../../contract/followers.ts'
import type { Field, Group } from '../../../contract/generated.ts'
import { outsideFields } from '../../../contract/meta/outsideFields.ts'
import { type Seen, sourceOfPath } from '../../../contract/seen.ts'
import { seenPathsOf } from '../../../contract/seenPaths.ts'
import type { CaseType } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { readCurrent, withPending } from '../answerMigrations/readCurrent.ts'
import type { Changes } from '../audit/audit.ts'
import { isOutOfSight } from '../query/outOfSight.ts'
import {
  type Around,
  isOfLast,
  readOutside,
  recordsOf,
  type StoredSeen,
  type StoredSeenValues,
} from './readOutside.ts'

/** The values from outside that a form of a record is evaluated with, which are stored with the record. */
export interface RecordSeen extends Seen {
  values: StoredSeenValues
  /** Names of the fields that follow from what the caller may not see. */
  withheld: Set<string>
}

interface SeenOptions {
  /** The form, and what is stored with the record. */
  groups: Group[]
  stored: StoredSeenValues
  /** Reads everything again that the caller may see. */
  isLatest?: boolean
  /** Uploads know the client and the case only. */
  knowsLast?: boolean
}

const NOTHING: RecordSeen = { values: {}, fields: new Map(), withheld: new Set() }

/** The stored values that a form names, and the present ones of those that are not stored yet. */
export async function seenOfRecord(
  call: Call,
  around: () => Around | Promise<Around>,
  { groups, stored, isLatest = false, knowsLast = true }: SeenOptions,
): Promise<RecordSeen> {
  const paths = seenPathsOf(groups).filter((path) => knowsLast || !isOfLast(path))
  if (paths.length === 0) return NOTHING
  const known = paths.filter((path) => Object.hasOwn(stored, path))
  const place = await around()
  const hidden = await withheldPaths(call, place.which, pickPaths(stored, known))
  const isRead = (path: string) => !Object.hasOwn(stored, path) || (isLatest && !hidden.includes(path))
  const fresh = await readOutside(call, place, paths.filter(isRead))
  return {
    values: Object.fromEntries(
      paths.map((path) => [
        path,
        // Texts do not name it, but the form is evaluated with it.
        hidden.includes(path) ? { ...stored[path], isWithheld: true } : (fresh[path] ?? stored[path]),
      ]),
    ),
    fields: await fieldsAt(call, place, groups, paths),
    withheld: hidden.length > 0 ? followersOf(groups, hidden) : NOTHING.withheld,
  }
}

async function fieldsAt(
  { db, contract }: Call,
  { which, caseType }: Around,
  groups: Group[],
  paths: string[],
): Promise<Map<string, Field>> {
  const metas = { case_meta: [] as Group[], issue_meta: [] as Group[], [which]: groups }
  if (which === 'issue_meta' && paths.some((path) => sourceOfPath(path) === 'case')) {
    const { rows } = await sql<Pick<CaseType, 'case_meta'>>`select case_meta from case_types
      where id = ${caseType}`.execute(db)
    metas.case_meta = rows[0].case_meta as Group[]
  }
  const all = outsideFields(which, metas, contract)
  return new Map(paths.flatMap((path) => (all.has(path) ? [[path, all.get(path)!] as const] : [])))
}

/** The values as they are stored with a record of this form. */
export function storedSeen(groups: Group[], values: StoredSeenValues): StoredSeenValues {
  const entries = Object.entries(values).map(([path, { isWithheld: _, ...value }]): [string, StoredSeen] => [
    path,
    isOfLast(path) && value.record !== undefined
      ? { ...value, follows: [...followersOf(groups, [path])] }
      : value,
  ])
  return Object.fromEntries(entries)
}

/** Marks the changes of answers that follow from last records, by what was and is stored of these. */
export function markFollowing(changes: Changes, ...stored: StoredSeenValues[]): void {
  for (const one of stored.flatMap((values) => Object.values(values)))
    for (const name of one.follows ?? [])
      for (const key of [`answers.${name}`, `hidden_answers.${name}`]) {
        const change = changes[key]
        if (change) change.last = [...new Set([...(change.last ?? []), ...recordsOf(one)])]
      }
}

/**
 * The invalid fields without those that follow from the last record: lists of what is missing are read by people who do
 * not see it.
 */
export function invalidForAll(groups: Group[], invalid: string[]): string[] {
  const followers = followersOfLast(groups)
  return invalid.filter((name) => !followers.has(name))
}

/** The paths of values of last records that the caller may not see. */
async function withheldPaths(
  { db, me }: Call,
  which: Around['which'],
  stored: StoredSeenValues,
): Promise<string[]> {
  const paths = Object.keys(stored).filter((path) => isOfLast(path) && recordsOf(stored[path]).length > 0)
  if (paths.length === 0) return []
  const entity = which === 'case_meta' ? 'case' : 'issue'
  const ids = paths.flatMap((path) => recordsOf(stored[path]))
  const { rows } = await sql<{ id: number }>`select l.id from unnest(${ids}::int[]) l(id)
    where ${isOutOfSight(me, entity, sql`l.id`)}`.execute(db)
  const hidden = new Set(rows.map(({ id }) => id))
  return paths.filter((path) => recordsOf(stored[path]).some((id) => hidden.has(id)))
}

function pickPaths(stored: StoredSeenValues, paths: string[]): StoredSeenValues {
  return Object.fromEntries(paths.map((path) => [path, stored[path]]))
}

/** The answers of a case, which values of `$case` are among. */
export async function withAnswers({ db }: Pick<Call, 'db'>, caseRecord: Values): Promise<Values> {
  const { rows } = await sql<Row>`select r.answers, r.hidden_answers ${withPending({ $id: 'case' })}
    from cases r where r.id = ${caseRecord.id}`.execute(db)
  return { ...caseRecord, answers: rows[0] ? readCurrent(rows[0]).answers : {} }
}

import { sql } from 'kysely'
import type { EndedPeriod } from '../../../contract/deadlines/evaluateDeadline.ts'
import type { Pause } from '../../../contract/deadlines/pauses.ts'
import type { Deadline } from '../../../contract/generated.ts'
import type { Db } from '../../core/db.ts'
import type { DeadlineRows, StoredDeadline } from './loadDeadlines.ts'

export type DesiredDeadline = Omit<StoredDeadline, 'id'> & { case_type: number }

/** The pauses of a deadline of a record as they should be stored. */
export interface DesiredPauses {
  case: number
  issue: number | null
  name: string
  pauses: Pause[]
}

/** What to store of the deadlines of some cases. */
export interface DeadlineChanges {
  desired: DesiredDeadline[]
  pauses: DesiredPauses[]
  rows: DeadlineRows
  definitions: { id: number; deadlines: Deadline[] }[]
}

/** Stores the rows that differ. What was met or excused stays when its deadline is removed from the case type. */
export async function storeDeadlines(db: Db, changes: DeadlineChanges): Promise<void> {
  const { desired, rows } = changes
  const stored = new Map(rows.deadlines.map((row) => [keyOf(row), row]))
  const changed = desired.filter((row) => !isSame(stored.get(keyOf(row)), row))
  for (const row of desired) stored.delete(keyOf(row))
  const names = new Map(
    changes.definitions.map(({ id, deadlines }) => [id, new Set(deadlines.map((d) => d.name))]),
  )
  const gone = [...stored.values()].filter((row) => isOpen(row) || names.get(row.case)?.has(row.name))
  // In this order, but in one round trip.
  await Promise.all([
    gone.length > 0 &&
      sql`delete from deadlines where id = any(${gone.map(({ id }) => id)}::int[])`.execute(db),
    changed.length > 0 && upsert(db, changed),
    ...changes.pauses.map((one) => storePauses(db, one, rows)),
  ])
}

async function upsert(db: Db, changed: DesiredDeadline[]): Promise<void> {
  const records = changed.map(({ by, ...row }) => ({
    ...row,
    met_by_action: typeof by === 'number' ? by : null,
    met_by_field: typeof by === 'string' ? by : null,
  }))
  await sql`insert into deadlines as d (case_type, name, seq, client, "case", issue, label, title, counted_from, due,
      warn_from, paused_days, paused_since, ends_on, met_on, met_by_action, met_by_field, excused_on, form_version, calendar)
    select r.case_type, r.name, r.seq, r.client, r."case", r.issue, r.label, r.title, r."from", r.due, r."warnFrom",
      r."pausedDays", r."pausedSince", r."endsOn", r."metOn", r.met_by_action, r.met_by_field, r."excusedOn", r.version,
      r.calendar
    from jsonb_to_recordset(${JSON.stringify(records)}::jsonb) as r(case_type int, name text, seq int, client int,
      "case" int, issue int, label text, title text, "from" date, due date, "warnFrom" date, "pausedDays" int,
      "pausedSince" date, "endsOn" date, "metOn" date, met_by_action int, met_by_field text, "excusedOn" date, version int,
      calendar int)
    on conflict (coalesce(issue, -"case"), name, seq) do update set case_type = excluded.case_type,
      client = excluded.client, "case" = excluded."case", label = excluded.label, title = excluded.title,
      counted_from = excluded.counted_from, due = excluded.due, warn_from = excluded.warn_from,
      paused_days = excluded.paused_days, paused_since = excluded.paused_since, ends_on = excluded.ends_on,
      met_on = excluded.met_on, met_by_action = excluded.met_by_action, met_by_field = excluded.met_by_field,
      excused_on = excluded.excused_on, form_version = excluded.form_version, calendar = excluded.calendar,
      excused_by = case when excluded.excused_on is not null then d.excused_by end,
      excused_reason = case when excluded.excused_on is not null then d.excused_reason end`.execute(db)
}

async function storePauses(
  db: Db,
  { case: caseId, issue, name, pauses }: DesiredPauses,
  rows: DeadlineRows,
): Promise<void> {
  const before = rows.pauses.filter(
    (row) => row.name === name && row.issue === issue && (issue !== null || row.case === caseId),
  )
  await sql`delete from deadline_pauses where id = any(${before.map(({ id }) => id)}::int[])`.execute(db)
  await sql`insert into deadline_pauses ("case", issue, name, from_day, to_day)
    select ${caseId}::int, ${issue}::int, ${name}, r."from", r."to"
    from jsonb_to_recordset(${JSON.stringify(pauses)}::jsonb) as r("from" date, "to" date)`.execute(db)
}

function keyOf({
  case: caseId,
  issue,
  name,
  seq,
}: Pick<DesiredDeadline, 'case' | 'issue' | 'name' | 'seq'>): string {
  return `${issue ?? `case ${caseId}`} ${name} ${seq}`
}

function isOpen({ metOn, excusedOn }: EndedPeriod): boolean {
  return metOn === undefined && excusedOn === undefined
}

const COMPARED: (keyof DesiredDeadline & keyof StoredDeadline)[] = [
  'client',
  'case',
  'label',
  'title',
  'from',
  'due',
  'warnFrom',
  'pausedDays',
  'pausedSince',
  'endsOn',
  'metOn',
  'by',
  'excusedOn',
]

/** The version alone is no difference, so that a publication does not write what stays as it is. */
function isSame(stored: StoredDeadline | undefined, row: DesiredDeadline): boolean {
  return stored !== undefined && COMPARED.every((key) => (stored[key] ?? null) === (row[key] ?? null))
}

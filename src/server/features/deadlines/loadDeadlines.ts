import { sql } from 'kysely'
import type { EndedPeriod, Entry } from '../../../contract/deadlines/evaluateDeadline.ts'
import type { Pause } from '../../../contract/deadlines/pauses.ts'
import type { Db, Sql } from '../../core/db.ts'

/** A stored row of a deadline, in the names of its period; null columns are left out. */
export interface StoredDeadline extends EndedPeriod {
  id: number
  case: number
  issue: number | null
  client: number
  name: string
  seq: number
  label: string
  title: string
  calendar: number | null
}
interface StoredPause extends Pause {
  id: number
  case: number
  issue: number | null
  name: string
}
interface StoredEntry extends Entry {
  case: number
  issue: number | null
}

/** What deadlines of cases are computed from besides the cases and issues themselves. */
export interface DeadlineRows {
  deadlines: StoredDeadline[]
  pauses: StoredPause[]
  /** Actions by day, without those entered in error. */
  entries: StoredEntry[]
}

/**
 * Loads the stored deadlines of the cases of a query for ids, their pauses, and the actions of all types that meet a
 * published deadline; with `meeting`, the actions of these types instead, for a draft.
 */
export async function loadDeadlines(db: Db, ids: Sql, meeting?: number[]): Promise<DeadlineRows> {
  const meets = meeting
    ? sql`a.type = any(${meeting}::int[])`
    : sql`jsonb_path_exists(f.deadlines, '$[*].met_by.actions[*] ? (@ == $type)',
        jsonb_build_object('type', a.type))`
  const { rows } = await sql<DeadlineRows>`with found as materialized (
      select k.id, t.deadlines from cases k join case_types t on t.id = k.case_type where k.id in (${ids}))
    select
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', d.id, 'case', d."case", 'client', d.client,
        'name', d.name, 'seq', d.seq, 'label', d.label, 'title', d.title, 'from', d.counted_from, 'due', d.due,
        'warnFrom', d.warn_from, 'pausedDays', d.paused_days, 'pausedSince', d.paused_since, 'endsOn', d.ends_on,
        'metOn', d.met_on, 'by', coalesce(to_jsonb(d.met_by_action), to_jsonb(d.met_by_field)), 'excusedOn', d.excused_on,
        'version', d.form_version)) || jsonb_build_object('issue', d.issue, 'calendar', d.calendar)
        order by d.name, d.seq), '[]')
      from deadlines d where d.id in (
        select x.id from deadlines x join found f on x."case" = f.id
        union select x.id from deadlines x join issues i on i.id = x.issue join found f on f.id = i."case")) as deadlines,
    (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('id', p.id, 'case', p."case", 'name', p.name,
        'from', p.from_day, 'to', p.to_day)) || jsonb_build_object('issue', p.issue) order by p.from_day, p.id), '[]')
      from deadline_pauses p where p.id in (
        select x.id from deadline_pauses x join found f on x."case" = f.id
        union select x.id from deadline_pauses x join issues i on i.id = x.issue join found f on f.id = i."case")) as pauses,
    (select coalesce(jsonb_agg(jsonb_build_object('id', a.id, 'case', a."case", 'issue', a.issue, 'day', a.done_on,
        'action_type', a.type) order by a.done_on, a.id), '[]')
      from found f join actions a on a."case" = f.id
      where a.error_reason is null and ${meets}) as entries`.execute(db)
  return rows[0]
}

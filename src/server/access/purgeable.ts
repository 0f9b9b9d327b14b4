import { sql } from 'kysely'
import { STATUS } from '../../contract/status.ts'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { visibleTo } from './scope.ts'

/**
 * The last day on which the record of the alias, or anything below it, was closed or changed. Start and close dates are
 * entered by people, who could date them back, so the timestamps of the server count too.
 */
export const LAST_CHANGE = {
  issue: (r: string) => sql`greatest(${ref(r, 'close_date')}, ${ref(r, 'updated_at')}::date,
    (select max(a.at)::date from audit a where a.issue = ${ref(r, 'id')} and a.action <> 'open'))`,
  // Every audit event below a case sets its touched_at, except the event that it was opened.
  case: (r: string) => sql`(select greatest(o.close_date, o.updated_at::date, o.touched_at::date)
    from cases o where o.id = ${ref(r, 'id')})`,
}

/** The condition that a case or client of the alias has an issue that the caller may not see. */
export function hasHiddenIssues(me: Caller, r: string, level: 'case' | 'client'): Sql {
  return sql`exists (select from issues i where ${ref('i', level)} = ${ref(r, 'id')}
    and ${visibleTo('issue', me, 'i')} is not true)`
}

/** The condition that a client of the alias has an active or hidden case, or an open issue. */
export function hasActiveWork(me: Caller, r: string): Sql {
  const active = sql.lit(STATUS.active)
  return sql`(exists (select from cases k where k.client = ${ref(r, 'id')}
      and (k.status = ${active} or ${visibleTo('case', me, 'k')} is not true))
    or exists (select from issues i where i.client = ${ref(r, 'id')} and i.is_opened and i.status = ${active}))`
}

/** The condition that an issue of the alias is not the only one of its case. */
function hasSiblings(r: string): Sql {
  return sql`exists (select from issues o where o."case" = ${ref(r, 'case')} and o.id <> ${ref(r, 'id')})`
}

/** The conditions under which a purge of the record of the alias succeeds, for those whose roles allow it. */
export const MAY_PURGE: Record<'issue' | 'case' | 'client', (me: Caller, r: string) => Sql> = {
  issue: (me, r) =>
    sql`(not ${ref(r, 'is_opened')} and ${hasSiblings(r)} and ${isOldOf(me, LAST_CHANGE.issue(r))})`,
  case: (me, r) => sql`(not ${hasHiddenIssues(me, r, 'case')} and ${isOldOf(me, LAST_CHANGE.case(r))})`,
  client: (me, r) => sql`(${ref(r, 'status')} = ${sql.lit(STATUS.retired)}
    and not ${hasActiveWork(me, r)} and not ${hasHiddenIssues(me, r, 'client')})`,
}

/** False in jobs, which have no `oldCaseDays`: no screen is rendered from them. */
function isOldOf({ oldCaseDays }: Caller, day: Sql): Sql {
  return oldCaseDays === undefined
    ? sql`false`
    : sql`coalesce(${day} <= current_date - ${oldCaseDays}::int, false)`
}

function ref(row: string, name: string) {
  return sql.ref(`${row}.${name}`)
}

import { sql } from 'kysely'
import type { Caller } from '../core/call.ts'
import type { Db, Sql } from '../core/db.ts'
import { visibleTo } from './scope.ts'
import { type Accessed, column, IS_CURRENT } from './visibleParents.ts'

export type Seen = Accessed | 'issue'

/** A principal of a record, and a record that it comes from; null for a principal that comes from none. */
export interface RecordPrincipal {
  principal: number
  entity: Seen | null
  id: number | null
  /** True if the caller sees the record that the principal comes from. */
  is_visible: boolean | null
}

/**
 * The principals of a client, case or issue, of which everybody who sees it holds one, with all the records they come
 * from.
 */
export async function principalsOfRecord(
  db: Db,
  me: Caller,
  entity: Seen,
  id: number,
): Promise<RecordPrincipal[]> {
  const { rows } = await sql<RecordPrincipal>`with sources as (${sourcesOf(me, entity, id)}),
    held as (${entity === 'issue' ? sql`select distinct principal from sources` : storedFor(entity, id)})
    select principal, s.entity, s.id, s.is_visible from held left join sources s using (principal)
    order by principal, s.entity, s.id`.execute(db)
  return rows
}

/** The rows that say who sees a case or client. */
function storedFor(entity: Accessed, id: number): Sql {
  return sql`select access.principal from ${sql.table(`${entity}_access`)} access
    where ${column('access', entity)} = ${id} and ${IS_CURRENT}`
}

/**
 * The records at and below a record that principals come from, as the function access_sources of the database has them.
 */
function sourcesOf(me: Caller, entity: Seen, id: number): Sql {
  const isOf = (row: string, own: Seen) => sql`${column(row, own === entity ? 'id' : entity)} = ${id}`
  const issues = sql`select p as principal, 'issue' as entity, i.id, ${visibleTo('issue', me, 'i')} as is_visible
    from issues i, unnest(issue_principals(i)) p where ${isOf('i', 'issue')}`
  const cases = sql`select principal('creator', k.created_by), 'case', k.id, ${visibleTo('case', me, 'k')}
    from cases k where ${isOf('k', 'case')}`
  const groups = sql`select distinct principal('group', g), case when s.issue is null then 'case' else 'issue' end,
      coalesce(s.issue, s."case"), case when s.issue is null then ${visibleTo('case', me, 'k')} else ${visibleTo('issue', me, 'i')} end
    from automation_states s join cases k on k.id = s."case" left join issues i on i.id = s.issue, unnest(s.groups) g
    where ${column('s', entity)} = ${id}`
  const clients = sql`select principal('creator', c.created_by), 'client', c.id, true from clients c where c.id = ${id}`
  const referrals = sql`select distinct principal('referred', q.hub), 'client', q.from_client, true
    from referral_requests q where q.from_client = ${id} and is_undecided(q.status)`
  const levels = {
    issue: [issues, groups],
    case: [issues, groups, cases],
    client: [issues, groups, cases, clients, referrals],
  }
  return sql.join(levels[entity], sql` union all `)
}

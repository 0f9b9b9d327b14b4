import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { ROLE } from '../../contract/roles.ts'
import type { Caller } from '../core/call.ts'
import type { Sql } from '../core/db.ts'
import { seesAll, seesOwnOnly } from './callerRights.ts'
import { heldBy, type Kind, principalsOf } from './principals.ts'

/** Tables of the records that other records take their scope from. */
export const TABLES: Record<string, string> = {
  issue: 'issues',
  case: 'cases',
  client: 'clients',
  staff: 'staff',
  bulkUpload: 'bulk_uploads',
}

export const column = (row: string, name: string) => sql.ref(`${row}.${name}`)

/** The condition that a person created a row. */
export function createdBy(me: Caller, row: string): Sql {
  return sql`${column(row, 'created_by')} = ${me.id}`
}

/** Joins conditions by OR. */
export function anyOf(rules: Sql[]): Sql {
  return sql`(${sql.join(rules, sql` or `)})`
}

/** The conditions for issues that have a principal of a kind, by the columns and states that principals are made of. */
const HAS_PRINCIPAL: Record<Kind, (row: string, ids: number[]) => Sql> = {
  advocate: (r, ids) => isOneOf(r, 'advocate', ids),
  creator: (r, ids) => isOneOf(r, 'created_by', ids),
  hub: (r, ids) => isOneOf(r, 'hub', ids),
  contract: (r, ids) => isOneOf(r, 'contract', ids),
  unallocated: (r, ids) => sql`(${column(r, 'advocate')} is null and ${isOneOf(r, 'service', ids)})`,
  // By the array an index finds issues, as it does those of the other kinds; `in` looks up a row that another index found
  // in a hash, instead of comparing it with each element.
  group: (r, ids) =>
    sql`(${column(r, 'id')} in (${ofGroups(ids)}) and ${column(r, 'id')} = any(array(${ofGroups(ids)})))`,
  // A referral shows its client, and none of their issues.
  referred: () => sql`false`,
}

/** The condition that a person holds a principal of an issue. */
export function seesIssue(me: Caller, r: string): Sql {
  return seesAll(me) ? sql`true` : anyOf(heldBy(me).map(([kind, ids]) => HAS_PRINCIPAL[kind](r, ids)))
}

/** A query for the ids of the issues whose states some groups see. */
function ofGroups(ids: number[]): Sql {
  return sql`select g.issue as id from automation_states g
    where g.groups <> '{}' and g.groups && ${ids}::int[]`
}

export type Accessed = 'case' | 'client'

/** The condition that a person holds a principal of a case or client. */
export function hasAccess(me: Caller, entity: Accessed, id: Sql): Sql {
  return sql`exists (select ${ofPrincipals(me, entity)} and ${column('access', entity)} = ${id})`
}

/**
 * A query for the ids of the cases or clients that a person may see, which reads only an index of the access rows;
 * undefined for other entities, and for those who see every row.
 */
export function accessIds({ scope, scopeKey }: Entity, me: Caller): Sql | undefined {
  if ((scope !== 'case' && scope !== 'client') || scopeKey || seesAll(me)) return undefined
  return sql`select distinct ${column('access', scope)} as id ${ofPrincipals(me, scope)}`
}

function ofPrincipals(me: Caller, entity: Accessed): Sql {
  return sql`from ${sql.table(`${entity}_access`)} access
    where access.principal = any(${principalsOf(me)}::bigint[]) and ${IS_CURRENT}`
}

/** The condition that a row of access rows, under the alias access, has not ended. */
export const IS_CURRENT = sql`(access.until is null or access.until > now())`

/** The condition that a column has one of some ids; of a single id, an index also has the order. */
function isOneOf(row: string, name: string, ids: number[]): Sql {
  return ids.length === 1
    ? sql`${column(row, name)} = ${ids[0]}`
    : sql`${column(row, name)} = any(${ids}::int[])`
}

/** The condition that a given parent of a row is visible; `name` is the column with its id. */
export function below(
  me: Caller,
  r: string,
  parent: 'issue' | 'case' | 'client',
  name: string = parent,
): Sql {
  const id = column(r, name)
  if (seesAll(me)) return sql`${id} is not null`
  if (parent !== 'issue') return hasAccess(me, parent, id)
  // One subquery for each kind of principal, so that each uses its index: PostgreSQL looks up each id if there are few
  // rows, and hashes the ids of all visible issues if there are many.
  const ofKinds = heldBy(me).map(([kind, ids]) =>
    kind === 'group'
      ? ofGroups(ids)
      : sql`select parent.id from issues parent where ${HAS_PRINCIPAL[kind]('parent', ids)}`,
  )
  return sql`exists (select from (${sql.join(ofKinds, sql` union all `)}) visible where visible.id = ${id})`
}

/** The same for audit events, which keep the number that their client or case had before it was merged. */
export function belowRemaining(me: Caller, r: string, parent: Accessed, name: string = parent): Sql {
  const id = column(r, name)
  if (seesAll(me)) return sql`${id} is not null`
  const remaining = sql`(select ${column('m', parent)} from merges m where m.entity = ${sql.lit(parent)} and m.old = ${id})`
  return hasAccess(me, parent, sql`coalesce(${remaining}, ${id})`)
}

/** The condition that a row's issue is visible, else its case, else its client. */
export function belowVisible(me: Caller, r: string, isBelow: typeof belowRemaining = below): Sql {
  const isOfClient = sql`${column(r, 'case')} is null and ${isBelow(me, r, 'client')}`
  return sql`(${below(me, r, 'issue')}
    or ${column(r, 'issue')} is null and (${isBelow(me, r, 'case')} or ${isOfClient}))`
}

/** The condition that a row belongs to a visible case and to no issue. */
export function ofVisibleCaseAlone(me: Caller, r: string): Sql {
  return sql`(${column(r, 'issue')} is null and ${below(me, r, 'case')})`
}

/**
 * The condition that an audit event of a deleted issue is visible with its case: the deletion itself, and the person's
 * own events. The other events were visible with the issue, which is gone.
 */
export function ofDeletedIssue(me: Caller, r: string): Sql {
  const isDeletion = sql`${column(r, 'entity')} = 'issue' and ${column(r, 'action')} = 'remove'`
  return sql`(not exists (select 1 from issues g where g.id = ${column(r, 'issue')}) and ${belowRemaining(me, r, 'case')}
    and (${column(r, 'staff')} = ${me.id} or ${isDeletion}))`
}

/**
 * For commissioners, the condition that they made a row below an issue, case or client: they keep seeing it. For others
 * no condition, because they see such a row only with its issue, case or client.
 */
export function madeByCommissioner(me: Caller, r: string): Sql[] {
  return me.groups.includes(ROLE.commissionerAdvocate) ? [createdBy(me, r)] : []
}

/** The condition for rows of a client, by the columns of their case and client. */
export function ofClient(me: Caller, r: string, columns: { case: string; client: string }): Sql {
  if (seesAll(me)) return sql`true`
  if (seesOwnOnly(me)) return createdBy(me, r)
  return anyOf([
    ...madeByCommissioner(me, r),
    below(me, r, 'case', columns.case),
    sql`${column(r, columns.case)} is null and ${below(me, r, 'client', columns.client)}`,
  ])
}

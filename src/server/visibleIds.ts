import { sql } from 'kysely'
import type { Entity } from '../contract/generated.ts'
import type { Sql } from './db.ts'
import { anyOf, column, createdBy, issueReasons, seesAll, seesOwnOnly } from './scope.ts'
import type { Caller } from './signIn/session.ts'

/**
 * Queries whose union (with duplicates) is the visible ids, for long lists: computed once instead of checking each
 * row. `among` is an array of ids that they are limited to. Undefined if the entity has no scope or everything is visible.
 */
export function visibleIds(entity: Entity, me: Caller, among?: Sql): Sql[] | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  return VISIBLE_IDS[entity.scope]?.(me, among)
}

// The rules of scope.ts, starting from the issues; `visibleIds` says what the queries are.
const VISIBLE_IDS: Record<string, (me: Caller, among?: Sql) => Sql[]> = {
  case: (me, among) => [createdIds(me, 'cases', 'id', among), ...ofIssues(me, 'case', among)],
  client: (me, among) => [
    createdIds(me, 'clients', 'id', among),
    createdIds(me, 'cases', 'client', among),
    ...ofIssues(me, 'client', among),
  ],
  task: (me) => [
    sql`select id from tasks where assignee = ${me.id}`,
    sql`select id from tasks where created_by = ${me.id}`,
    ...(seesOwnOnly(me)
      ? []
      : [
          sql`select id from tasks where issue in (${visibleIssues(me)})`,
          sql`select id from tasks where issue is null and "case" in (${unionOf(VISIBLE_IDS.case(me))})`,
          sql`select id from tasks where issue is null and "case" is null and client in (${unionOf(VISIBLE_IDS.client(me))})`,
        ]),
  ],
}

/** A query for the ids of the issues that a person sees, who does not see all. */
export function visibleIssues(me: Caller): Sql {
  return unionOf(ofIssues(me, 'id'))
}

function unionOf(queries: Sql[]): Sql {
  return sql.join(queries, sql` union all `)
}

function createdIds(me: Caller, table: string, owner: 'id' | 'client', among?: Sql): Sql {
  return sql`select ${column('o', owner)} from ${sql.table(table)} o where ${createdBy(me, 'o')} ${andAmong('o', owner, among)}`
}

/** Of all issues one query per rule, because each has its own index; among some the index of the owner has them. */
function ofIssues(me: Caller, owner: 'id' | 'case' | 'client', among?: Sql): Sql[] {
  const reasons = issueReasons(me, 'i')
  return (among ? [anyOf(reasons)] : reasons).map(
    (reason) =>
      sql`select ${column('i', owner)} from issues i where ${reason} ${andAmong('i', owner, among)}`,
  )
}

function andAmong(row: string, name: string, among?: Sql): Sql {
  return among ? sql`and ${column(row, name)} = any(${among})` : sql``
}

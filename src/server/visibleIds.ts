import { sql } from 'kysely'
import type { Entity } from '../contract/generated.ts'
import { keyOf } from './columns.ts'
import type { Sql } from './db.ts'
import {
  anyOf,
  column,
  createdBy,
  issueReasons,
  ofVisibleCaseAlone,
  scoped,
  seesAll,
  seesByPlace,
  seesOwnOnly,
  visibleTo,
} from './scope.ts'
import type { Caller } from './signIn/session.ts'

/** Up to so many rows, at most as many as lists count, looking each up is faster than computing all that this person sees. */
export function fewFor(me: Caller): number {
  return seesByPlace(me) ? 10_000 : 3000
}

/**
 * Queries whose union (with duplicates) is the visible ids, for long lists: computed once instead of checking each
 * row; of those in the table `among` only. Undefined if the entity has no scope or everything is visible.
 */
export function visibleIds(entity: Entity, me: Caller, among?: string): Sql[] | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  return VISIBLE_IDS[entity.scope]?.(me, among)
}

// The rules of scope.ts, starting from the issues; `visibleIds` says what the queries are.
const VISIBLE_IDS: Record<string, (me: Caller, among?: string) => Sql[] | undefined> = {
  case: (me, among) => [createdIds(me, 'cases', 'id', among), ...ofIssues(me, 'case', among)],
  client: (me, among) => [
    createdIds(me, 'clients', 'id', among),
    createdIds(me, 'cases', 'client', among),
    ...ofIssues(me, 'client', among),
  ],
  task: (me, among) =>
    limitedTo(among, [
      sql`select id from tasks where assignee = ${me.id}`,
      sql`select id from tasks where created_by = ${me.id}`,
      ...(seesOwnOnly(me)
        ? []
        : [
            sql`select id from tasks where issue in (${visibleIssues(me)})`,
            sql`select id from tasks where issue is null and "case" in (${unionOf(VISIBLE_IDS.case(me)!)})`,
            sql`select id from tasks where issue is null and "case" is null and client in (${unionOf(VISIBLE_IDS.client(me)!)})`,
          ]),
    ]),
  // An activity stands under its number below zero. Who sees a whole hub is spared its work of all years.
  actionOrActivity: (me, among) =>
    seesByPlace(me)
      ? undefined
      : limitedTo(among, [
          createdIds(me, 'actions', 'id'),
          sql`select o.id from actions o where o.issue = any(array(${visibleIssues(me)}))`,
          sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')}`,
          sql`select -o.id from activities o where ${visibleTo('activity', me, 'o')}`,
        ]),
}

function limitedTo(among: string | undefined, queries: Sql[]): Sql[] {
  if (!among) return queries
  return [sql`select id from (${unionOf(queries)}) v(id) where id in (select id from ${sql.table(among)})`]
}

/**
 * Queries whose union is the visible ids of rows that belong to the clients in the query `clients`, found by the issues of
 * these clients; `ctes` are what they read. Undefined where everything is visible, or rows are not found so.
 */
export function visibleIdsOfClients(
  entity: Entity,
  me: Caller,
  clients: Sql,
): { ctes: Sql[]; ids: Sql[] } | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  const ids = OF_CLIENTS[entity.scope]?.(me)
  return ids && { ctes: [sql`named(id) as materialized (${clients})`, issuesOfNamed(me)], ids }
}

/** The visible issues of the clients in `named`: of few clients they are looked up, of many found among all visible. */
function issuesOfNamed(me: Caller): Sql {
  const areFew = sql`(select count(*) from named) <= ${fewFor(me)}`
  const ofMany = issueReasons(me, 'i').map(
    (reason) =>
      sql`select i.id, i."case" from issues i where not ${areFew} and ${reason} and i.client in (select id from named)`,
  )
  const all = unionOf([sql`${issuesOf(me, 'named')} and ${areFew}`, ...ofMany])
  return sql`named_issues(id, "case") as materialized (${all})`
}

/** The visible issues of the clients in a table. */
function issuesOf(me: Caller, clients: string): Sql {
  return sql`select i.id, i."case" from issues i where ${anyOf(issueReasons(me, 'i'))}
    and i.client = any(array(select id from ${sql.table(clients)}))`
}

// By scope, of the clients in `named`.
const OF_CLIENTS: Record<string, (me: Caller) => Sql[]> = {
  issue: () => [sql`select id from named_issues`],
  case: (me) => [sql`select "case" from named_issues`, createdOfNamed(me, 'cases')],
  action: (me) => {
    const created = createdOfNamed(me, 'actions')
    if (seesOwnOnly(me)) return [created]
    return [
      created,
      sql`select o.id from actions o where o.issue = any(array(select id from named_issues))`,
      sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')} and o.client = any(array(select id from named))`,
    ]
  },
}

function createdOfNamed(me: Caller, table: string): Sql {
  return sql`select o.id from ${sql.table(table)} o where ${createdBy(me, 'o')} and o.client in (select id from named)`
}

/** The condition that keeps the rows under the alias r that a person sees, where all of a long list are read. */
export function isSeen(entity: Entity, me: Caller): Sql {
  const ids = visibleIds(entity, me)
  return ids ? sql`${sql.ref(`r.${keyOf(entity)}`)} = any(array(${unionOf(ids)}))` : scoped(entity, me)
}

/** The condition that keeps the visible actions, under the alias `row`, where all are of the clients in a table. */
export function isSeenAction(me: Caller, row: string, clients: string): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return visibleTo('action', me, row)
  const isOfSeenIssue = sql`${column(row, 'issue')} in (select id from (${issuesOf(me, clients)}) s)`
  return anyOf([createdBy(me, row), isOfSeenIssue, ofVisibleCaseAlone(me, row)])
}

/** A query for the ids of the issues that a person sees, who does not see all. */
export function visibleIssues(me: Caller): Sql {
  return unionOf(ofIssues(me, 'id'))
}

function unionOf(queries: Sql[]): Sql {
  return sql.join(queries, sql` union all `)
}

function createdIds(me: Caller, table: string, owner: 'id' | 'client', among?: string): Sql {
  const isAmong = among ? sql`and ${column('o', owner)} in (select id from ${sql.table(among)})` : sql``
  return sql`select ${column('o', owner)} from ${sql.table(table)} o where ${createdBy(me, 'o')} ${isAmong}`
}

/** Of all issues one query per rule, because each has its own index; among some the index of the owner has them. */
function ofIssues(me: Caller, owner: 'id' | 'case' | 'client', among?: string): Sql[] {
  const ids = sql`select ${column('i', owner)} from issues i`
  const reasons = issueReasons(me, 'i')
  if (!among) return reasons.map((reason) => sql`${ids} where ${reason}`)
  const isAmong = sql`${column('i', owner)} = any(array(select id from ${sql.table(among)}))`
  return [sql`${ids} where ${anyOf(reasons)} and ${isAmong}`]
}

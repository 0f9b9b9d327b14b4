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

/** Up to this many rows, no more than lists count, looking each up is faster than computing everything that this person sees. */
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
 * The same for rows of the clients that the query `clients` has the ids of, found by the issues of these; `ctes` are what
 * the queries read. Undefined also for an entity whose rows are not found so.
 */
export function visibleIdsOfClients(
  entity: Entity,
  me: Caller,
  clients: Sql,
): { ctes: Sql[]; ids: Sql[] } | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  const ids = OF_CLIENTS[entity.scope]?.(me)
  return ids && { ctes: [sql`named(id) as materialized (${clients})`, seenOfNamed(me)], ids }
}

/** The visible issues of the clients in `named`. */
function seenOfNamed(me: Caller): Sql {
  const issues = (reason: Sql, isOfNamed: Sql) =>
    sql`select i.id, i."case" from issues i where ${reason} and i.client ${isOfNamed}`
  const areFew = sql`(select count(*) from named) <= ${fewFor(me)}`
  const reasons = issueReasons(me, 'i')
  return sql`seen(id, "case") as materialized (${unionOf([
    issues(sql`${areFew} and ${anyOf(reasons)}`, sql`= any(array(select id from named))`),
    ...reasons.map((reason) => issues(sql`not ${areFew} and ${reason}`, sql`in (select id from named)`)),
  ])})`
}

const OF_CLIENTS: Record<string, (me: Caller) => Sql[]> = {
  issue: () => [sql`select id from seen`],
  case: (me) => [sql`select "case" from seen`, createdOfNamed(me, 'cases')],
  action: (me) => {
    const created = createdOfNamed(me, 'actions')
    if (seesOwnOnly(me)) return [created]
    return [
      created,
      sql`select o.id from actions o where o.issue = any(array(select id from seen))`,
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

/** The condition that keeps the visible actions, under the alias `row`, of the clients in the table `clients`. */
export function isSeenOfClients(me: Caller, row: string, clients: string): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return visibleTo('action', me, row)
  const issues = unionOf(ofIssues(me, 'id', clients, 'client'))
  return anyOf([createdBy(me, row), sql`${column(row, 'issue')} in (${issues})`, ofVisibleCaseAlone(me, row)])
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

/** Of all issues one query per rule, because each has its own index; where `of` is among some its index has them. */
function ofIssues(me: Caller, owner: 'id' | 'case' | 'client', among?: string, of = owner): Sql[] {
  const ids = sql`select ${column('i', owner)} from issues i`
  const reasons = issueReasons(me, 'i')
  if (!among) return reasons.map((reason) => sql`${ids} where ${reason}`)
  const isAmong = sql`${column('i', of)} = any(array(select id from ${sql.table(among)}))`
  return [sql`${ids} where ${anyOf(reasons)} and ${isAmong}`]
}

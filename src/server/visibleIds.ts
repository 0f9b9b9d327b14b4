import { sql } from 'kysely'
import type { Entity } from '../contract/generated.ts'
import { keyOf } from './columns.ts'
import type { Sql } from './db.ts'
import { isIn, type Matches } from './matches.ts'
import type { Period } from './report.ts'
import {
  anyOf,
  column,
  createdBy,
  issueReasons,
  isVisibleIssue,
  ofVisibleCaseAlone,
  scoped,
  seesAll,
  seesByPlace,
  seesOwnOnly,
  visibleTo,
} from './scope.ts'
import type { Caller } from './signIn/session.ts'

/** Rows that are looked for among those in a table of ids. */
interface Among {
  table: string
  /** Whether looking each up is faster than reading all that this person sees. */
  areFew: boolean
}

/** Of a period with at most so many actions each of them is tested; of a longer one those of each visible issue are read. */
const FEW_ACTIONS = 10_000

/** Up to so many rows, at most as many as lists count, are found first and then looked for among the visible ones. */
export function fewFor(me: Caller): number {
  return seesByPlace(me) ? 10_000 : 3000
}

/**
 * Queries whose union (with duplicates) is the visible ids, for long lists: computed once instead of checking each
 * row; of those among some only. Undefined if the entity has no scope or everything is visible.
 */
export function visibleIds(
  entity: Entity,
  me: Caller,
  { among, period = {} }: { among?: Among; period?: Partial<Period> } = {},
): Sql[] | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  return VISIBLE_IDS[entity.scope]?.(me, among, period)
}

// The rules of scope.ts, starting from the issues; `visibleIds` says what the queries are.
const VISIBLE_IDS: Record<
  string,
  (me: Caller, among?: Among, period?: Partial<Period>) => Sql[] | undefined
> = {
  case: (me, among) => ownersOfIssues(me, 'case', [createdIds(me, 'cases', 'id')], among),
  client: (me, among) => ownersOfIssues(me, 'client', clientsOfCreated(me), among),
  task: (me, among) => {
    const isOf = (owner: string, ids: Sql) =>
      seesByPlace(me) ? sql`${sql.ref(owner)} in (${ids})` : sql`${sql.ref(owner)} = any(array(${ids}))`
    return limitedTo(among, [
      sql`select id from tasks where assignee = ${me.id}`,
      sql`select id from tasks where created_by = ${me.id}`,
      ...(seesOwnOnly(me)
        ? []
        : [
            sql`select id from tasks where ${isOf('issue', visibleIssues(me))}`,
            sql`select id from tasks where issue is null and ${isOf('case', unionOf(VISIBLE_IDS.case(me)!))}`,
            sql`select id from tasks where issue is null and "case" is null and ${isOf('client', unionOf(VISIBLE_IDS.client(me)!))}`,
          ]),
    ])
  },
  // An activity stands under its number below zero. Who sees a whole hub is spared its work of all years.
  actionOrActivity: (me, among, period = {}) =>
    seesByPlace(me)
      ? undefined
      : limitedTo(among, [
          sql`${createdIds(me, 'actions', 'id')} and ${isOfPeriod('o', period)}`,
          actionsOfVisibleIssues(me, period),
          sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')} and ${isOfPeriod('o', period)}`,
          sql`select -o.id from activities o where ${visibleTo('activity', me, 'o')} and ${isOfPeriod('o', period)}`,
        ]),
}

/**
 * A query for the actions of the visible issues. In a short period fewer actions were done than these issues have, which
 * only the database can tell.
 */
function actionsOfVisibleIssues(me: Caller, { start, end }: Partial<Period>): Sql {
  const done = (condition: Sql) =>
    sql`select o.id from actions o where ${isOfPeriod('o', { start, end })} and ${condition}`
  const ofIssues = done(sql`o.issue = any(array(${visibleIssues(me)}))`)
  if (!start || !end) return ofIssues
  const counted = sql`select from actions f where ${isOfPeriod('f', { start, end })} limit ${FEW_ACTIONS + 1}`
  return sql`select unnest(case when (select count(*) from (${counted}) s) <= ${FEW_ACTIONS}
    then array(${done(isIn(sql`o.issue`, visibleIssues(me)))}) else array(${ofIssues}) end)`
}

/** The condition that an action or activity was done in a period, either end of which may be open. */
function isOfPeriod(row: string, { start, end }: Partial<Period>): Sql {
  const day = column(row, 'done_on')
  const ends = [...(start ? [sql`${day} >= ${start}`] : []), ...(end ? [sql`${day} <= ${end}`] : [])]
  return sql.join([sql`true`, ...ends], sql` and `)
}

function limitedTo(among: Among | undefined, queries: Sql[]): Sql[] {
  if (!among) return queries
  return [sql`select id from (${unionOf(queries)}) v(id) where id in (${idsOf(among)})`]
}

function idsOf({ table }: Among): Sql {
  return sql`select id from ${sql.table(table)}`
}

/** The condition that an indexed column has one of the ids. */
function isOneOf(of: Sql, among: Among): Sql {
  return sql`${of} = any(array(${idsOf(among)}))`
}

/** Ids of some queries that are among some: tested at once, so that these are hashed once. */
function testedAmong(queries: Sql[], among: Among): Sql {
  return sql`select id from (${unionOf(queries)} offset 0) v where ${isIn(sql`id`, idsOf(among))}`
}

/** Whether somebody's rows are found by the issues of their clients, where these are known. */
export function isFoundByClients({ scope, scopeKey }: Entity, me: Caller): boolean {
  return scope !== undefined && scope in OF_CLIENTS && !scopeKey && !seesAll(me)
}

/**
 * Queries whose union is the visible ids of rows that belong to the clients found, by the issues of these clients; `ctes`
 * are what they read.
 */
export function visibleIdsOfClients(
  entity: Entity,
  me: Caller,
  clients: Matches,
): { ctes: Sql[]; ids: Sql[] } {
  const among = { table: 'named', areFew: clients.areFew }
  return {
    ctes: [
      sql`named(id) as materialized (${clients.ids})`,
      sql`named_issues(id, "case", client) as materialized (${issuesOfClients(me, among)})`,
    ],
    ids: OF_CLIENTS[entity.scope!](me, among),
  }
}

// By scope, of the clients in `named`.
const OF_CLIENTS: Record<string, (me: Caller, named: Among) => Sql[]> = {
  issue: () => [sql`select id from named_issues`],
  client: (me, named) => [sql`select client from named_issues`, testedAmong(clientsOfCreated(me), named)],
  case: (me, named) => [sql`select "case" from named_issues`, createdOfClients(me, 'cases', named)],
  action: (me, named) => {
    const created = createdOfClients(me, 'actions', named)
    if (seesOwnOnly(me)) return [created]
    return [
      created,
      sql`select o.id from actions o where o.issue = any(array(select id from named_issues))`,
      sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')} and ${isOneOf(sql`o.client`, named)}`,
    ]
  },
}

function createdOfClients(me: Caller, table: string, clients: Among): Sql {
  return sql`select o.id from ${sql.table(table)} o where ${createdBy(me, 'o')} and ${isIn(sql`o.client`, idsOf(clients))}`
}

/**
 * The condition that keeps the rows under the alias r that a person sees, where all of a long list are read. Of work it
 * may leave out what was not done in the period, which is another condition of the list.
 */
export function isSeen(entity: Entity, me: Caller, period?: Partial<Period>): Sql {
  const ids = visibleIds(entity, me, { period })
  return ids ? sql`${sql.ref(`r.${keyOf(entity)}`)} = any(array(${unionOf(ids)}))` : scoped(entity, me)
}

/** The condition that keeps the visible actions, under the alias `row`, where all are of clients among some. */
export function isSeenAction(me: Caller, row: string, clients: Among): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return visibleTo('action', me, row)
  return anyOf([
    createdBy(me, row),
    sql`${column(row, 'issue')} in (select id from (${issuesOfClients(me, clients)}) s)`,
    ofVisibleCaseAlone(me, row),
  ])
}

/** A query for the ids of the issues that a person sees, who does not see all. */
export function visibleIssues(me: Caller): Sql {
  return unionOf(ownersOfIssues(me, 'id', []))
}

export function unionOf(queries: Sql[]): Sql {
  return sql.join(queries, sql` union all `)
}

/** The clients that somebody made, and those of the cases that they made. */
function clientsOfCreated(me: Caller): Sql[] {
  return [createdIds(me, 'clients', 'id'), createdIds(me, 'cases', 'client')]
}

/** A query for the ids of the rows of a table, or of their clients, that somebody created. */
export function createdIds(me: Caller, table: string, owner: 'id' | 'client'): Sql {
  return sql`select ${column('o', owner)} as id from ${sql.table(table)} o where ${createdBy(me, 'o')}`
}

/**
 * Queries for the owners of the visible issues, with those that somebody created, of those among some. Few are found by
 * the index of the owner; else each rule has its own index, which for a place also has the owner: one query is of a
 * caseload, the others are of places.
 */
function ownersOfIssues(me: Caller, owner: 'id' | 'case' | 'client', created: Sql[], among?: Among): Sql[] {
  const of = column('i', owner)
  const owners = (condition: Sql) => sql`select ${of} as id from issues i where ${condition}`
  const { ofCaseload, ofPlace } = issueReasons(me, 'i')
  if (!among) return [unionOf([...created, ...ofCaseload.map(owners)]), ...ofPlace.map(owners)]
  const found = (condition: Sql) => owners(sql`${condition} and ${isOneOf(of, among)}`)
  return among.areFew
    ? [testedAmong(created, among), found(isVisibleIssue(me, 'i'))]
    : [testedAmong([...created, ...ofCaseload.map(owners)], among), ...ofPlace.map(found)]
}

/** A query for the visible issues of clients among some, in the same way: id, "case" and client. */
function issuesOfClients(me: Caller, clients: Among): Sql {
  const issues = (condition: Sql) => sql`select i.id, i."case", i.client from issues i where ${condition}`
  const found = (condition: Sql) => issues(sql`${condition} and ${isOneOf(sql`i.client`, clients)}`)
  if (clients.areFew) return found(isVisibleIssue(me, 'i'))
  const { ofCaseload, ofPlace } = issueReasons(me, 'i')
  const tested = sql`select id, "case", client from (${unionOf(ofCaseload.map(issues))} offset 0) v
    where ${isIn(sql`client`, idsOf(clients))}`
  return unionOf([tested, ...ofPlace.map(found)])
}

import { sql } from 'kysely'
import type { Entity } from '../contract/generated.ts'
import type { Call } from './call.ts'
import { keyOf } from './columns.ts'
import type { Sql } from './db.ts'
import { findMatches, isIn, type Matches } from './matches.ts'
import type { NameQuery } from './query.ts'
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

/** Of so many clients that somebody sees the names are read, rather than those of all clients. */
const FEW_CLIENTS = 20_000

/** Rows that are looked for among those in a table of ids. */
interface Among {
  table: string
  /** Whether looking each up is faster than reading all that this person sees. */
  areFew: boolean
}

/** Up to so many rows, at most as many as lists count, are found first and then looked for among the visible ones. */
export function fewFor(me: Caller): number {
  return seesByPlace(me) ? 10_000 : 3000
}

/**
 * Queries whose union (with duplicates) is the visible ids, for long lists: computed once instead of checking each
 * row; of those among some only. Undefined if the entity has no scope or everything is visible.
 */
export function visibleIds(entity: Entity, me: Caller, among?: Among): Sql[] | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  return VISIBLE_IDS[entity.scope]?.(me, among)
}

// The rules of scope.ts, starting from the issues; `visibleIds` says what the queries are.
const VISIBLE_IDS: Record<string, (me: Caller, among?: Among) => Sql[] | undefined> = {
  case: (me, among) => [createdIds(me, 'cases', 'id', among), ...ofIssues(me, 'case', among)],
  client: (me, among) => [
    createdIds(me, 'clients', 'id', among),
    createdIds(me, 'cases', 'client', among),
    ...ofIssues(me, 'client', among),
  ],
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

function limitedTo(among: Among | undefined, queries: Sql[]): Sql[] {
  if (!among) return queries
  return [sql`select id from (${unionOf(queries)}) v(id) where id in (${idsOf(among)})`]
}

function idsOf({ table }: Among): Sql {
  return sql`select id from ${sql.table(table)}`
}

/** The condition that a column has one of the ids: found by an index, or tested of each row that is read. */
function isAmong(of: Sql, among: Among | undefined, { byIndex }: { byIndex: boolean }): Sql {
  if (!among) return sql`true`
  return byIndex ? sql`${of} = any(array(${idsOf(among)}))` : isIn(of, idsOf(among))
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
  const issues = unionOf(issuesWhere(me, sql`i.id, i."case", i.client`, 'client', among))
  return {
    ctes: [
      sql`named(id) as materialized (${clients.ids})`,
      sql`named_issues(id, "case", client) as materialized (${issues})`,
    ],
    ids: OF_CLIENTS[entity.scope!](me, among),
  }
}

/**
 * Clients of a name, at least all that the caller sees or made actions for; undefined where these and those of the name
 * are many.
 */
export async function matchingClients(
  call: Call,
  { ids, isCommon }: NameQuery,
): Promise<Matches | undefined> {
  const few = isCommon ? undefined : await findMatches(call, ids, fewFor(call.me))
  if (few) return few
  const known = await visibleClients(call, [createdIds(call.me, 'actions', 'client')])
  return known && findMatches(call, sql`${ids} and c.id = any(array(${known.ids}))`, FEW_CLIENTS)
}

/** The clients that the caller sees, and further ones; undefined where they are many. */
export function visibleClients(call: Call, further: Sql[] = []): Promise<Matches | undefined> {
  const visible = visibleIds(call.contract.entities.client, call.me)!
  return findMatches(call, unionOf([...visible, ...further]), FEW_CLIENTS)
}

// By scope, of the clients in `named`.
const OF_CLIENTS: Record<string, (me: Caller, named: Among) => Sql[]> = {
  issue: () => [sql`select id from named_issues`],
  client: (me, named) => [
    sql`select client from named_issues`,
    createdIds(me, 'clients', 'id', named),
    createdIds(me, 'cases', 'client', named),
  ],
  case: (me, named) => [sql`select "case" from named_issues`, createdOfClients(me, 'cases', named)],
  action: (me, named) => {
    const created = createdOfClients(me, 'actions', named)
    if (seesOwnOnly(me)) return [created]
    return [
      created,
      sql`select o.id from actions o where o.issue = any(array(select id from named_issues))`,
      sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')}
        and ${isAmong(sql`o.client`, named, { byIndex: true })}`,
    ]
  },
}

function createdOfClients(me: Caller, table: string, clients: Among): Sql {
  return sql`select o.id from ${sql.table(table)} o where ${createdBy(me, 'o')}
    and ${isAmong(sql`o.client`, clients, { byIndex: false })}`
}

/** The condition that keeps the rows under the alias r that a person sees, where all of a long list are read. */
export function isSeen(entity: Entity, me: Caller): Sql {
  const ids = visibleIds(entity, me)
  return ids ? sql`${sql.ref(`r.${keyOf(entity)}`)} = any(array(${unionOf(ids)}))` : scoped(entity, me)
}

/** The condition that keeps the visible actions, under the alias `row`, where all are of clients among some. */
export function isSeenAction(me: Caller, row: string, clients: Among): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return visibleTo('action', me, row)
  const issues = unionOf(issuesWhere(me, sql`i.id`, 'client', clients))
  return anyOf([
    createdBy(me, row),
    sql`${column(row, 'issue')} in (select id from (${issues}) s)`,
    ofVisibleCaseAlone(me, row),
  ])
}

/** A query for the ids of the issues that a person sees, who does not see all. */
export function visibleIssues(me: Caller): Sql {
  return unionOf(ofIssues(me, 'id'))
}

function unionOf(queries: Sql[]): Sql {
  return sql.join(queries, sql` union all `)
}

function createdIds(me: Caller, table: string, owner: 'id' | 'client', among?: Among): Sql {
  const of = column('o', owner)
  return sql`select ${of} from ${sql.table(table)} o
    where ${createdBy(me, 'o')} and ${isAmong(of, among, { byIndex: false })}`
}

function ofIssues(me: Caller, owner: 'id' | 'case' | 'client', among?: Among): Sql[] {
  return issuesWhere(me, column('i', owner), owner, among)
}

/**
 * Queries for columns of the visible issues whose owner is among some. Few are found by the index of the owner; else there
 * is one query per rule, because each has its own index, which for a place also has the owner.
 */
function issuesWhere(me: Caller, columns: Sql, owner: 'id' | 'case' | 'client', among?: Among): Sql[] {
  const of = column('i', owner)
  const where = (condition: Sql, byIndex: boolean) =>
    sql`select ${columns} from issues i where ${condition} and ${isAmong(of, among, { byIndex })}`
  if (among?.areFew) return [where(isVisibleIssue(me, 'i'), true)]
  const { ofCaseload, ofPlace } = issueReasons(me, 'i')
  return [
    ...ofCaseload.map((reason) => where(reason, false)),
    ...ofPlace.map((reason) => where(reason, true)),
  ]
}

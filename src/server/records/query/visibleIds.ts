import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import {
  anyOf,
  column,
  createdBy,
  isOnNothing,
  issueReasons,
  isVisibleIssue,
  keptByMaker,
  ofVisibleCaseAlone,
  scoped,
  seesAll,
  seesHubOrContracts,
  seesOwnOnly,
  visibleTo,
} from '../../access/scope.ts'
import type { Caller } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import type { Period } from '../../core/today.ts'
import { keyOf } from './columns.ts'
import { isIn, type Matches } from './matches.ts'

/** A table of ids that a query is restricted to. */
interface Among {
  table: string
  /** True if looking up each is faster than reading all rows that this person may see. */
  areFew: boolean
}

/**
 * Maximum number of actions of a period that are tested one by one; for more, the actions of each visible issue are
 * read.
 */
const MAX_TESTED_ACTIONS = 10_000

/** Maximum number of matching rows to prefetch and then intersect with the visible ones; at most what lists count. */
export function prefetchLimit(me: Caller): number {
  return seesHubOrContracts(me) ? 10_000 : 3000
}

/**
 * Queries whose union (with duplicates) is the visible ids, for long lists: computed once instead of checking each row.
 * `among` restricts them. Undefined if the entity has no scope or everything is visible.
 */
export function visibleIds(
  entity: Entity,
  me: Caller,
  { among, period = {} }: { among?: Among; period?: Partial<Period> } = {},
): Sql[] | undefined {
  if (!entity.scope || entity.scopeKey || seesAll(me)) return undefined
  return VISIBLE_IDS[entity.scope]?.(me, among, period)
}

// The rules of scope.ts as queries that start from the issues, for `visibleIds`.
const VISIBLE_IDS: Record<
  string,
  (me: Caller, among?: Among, period?: Partial<Period>) => Sql[] | undefined
> = {
  case: (me, among) => ownersOfIssues(me, 'case', [createdIds(me, 'cases', 'id')], among),
  client: (me, among) => ownersOfIssues(me, 'client', clientsOfCreated(me), among),
  task: (me, among) => {
    const isOf = (owner: string, ids: Sql) =>
      seesHubOrContracts(me)
        ? sql`${sql.ref(owner)} in (${ids})`
        : sql`${sql.ref(owner)} = any(array(${ids}))`
    return limitedTo(among, [
      sql`select id from tasks where error_reason is null and assignee = ${me.id}`,
      sql`select id from tasks where error_reason is null and created_by = ${me.id} and ${keepsMade(me) ? sql`true` : isOnNothing('tasks')}`,
      ...(seesOwnOnly(me)
        ? []
        : [
            sql`select id from tasks where error_reason is null and ${isOf('issue', visibleIssues(me))}`,
            sql`select id from tasks where error_reason is null and issue is null and ${isOf('case', unionOf(VISIBLE_IDS.case(me)!))}`,
            sql`select id from tasks where error_reason is null and issue is null and "case" is null and ${isOf('client', unionOf(VISIBLE_IDS.client(me)!))}`,
          ]),
    ])
  },
  // An activity has its negated id. Undefined for hub users: it would read the hub's work of all years.
  actionOrActivity: (me, among, period = {}) =>
    seesHubOrContracts(me)
      ? undefined
      : limitedTo(among, [
          sql`${createdIds(me, 'actions', 'id')} and ${isOfPeriod('o', period)}`,
          actionsOfVisibleIssues(me, period),
          sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')} and ${isOfPeriod('o', period)}`,
          sql`select -o.id from activities o where ${visibleTo('activity', me, 'o')} and ${isOfPeriod('o', period)}`,
        ]),
}

/**
 * A query for the actions of the visible issues. PostgreSQL counts the actions of the period at run time: if they are
 * few it tests each, else it reads those of each visible issue.
 */
function actionsOfVisibleIssues(me: Caller, { start, end }: Partial<Period>): Sql {
  const done = (condition: Sql) =>
    sql`select o.id from actions o where ${isOfPeriod('o', { start, end })} and ${condition}`
  const ofIssues = done(sql`o.issue = any(array(${visibleIssues(me)}))`)
  if (!start || !end) return ofIssues
  const counted = sql`select from actions f where ${isOfPeriod('f', { start, end })} limit ${MAX_TESTED_ACTIONS + 1}`
  return sql`select unnest(case when (select count(*) from (${counted}) s) <= ${MAX_TESTED_ACTIONS}
    then array(${done(isIn(sql`o.issue`, visibleIssues(me)))}) else array(${ofIssues}) end)`
}

/** The condition that the date of an action or activity is in a period, either end of which may be open. */
function isOfPeriod(row: string, { start, end }: Partial<Period>): Sql {
  const day = column(row, 'done_on')
  const ends = [...(start ? [sql`${day} >= ${start}`] : []), ...(end ? [sql`${day} <= ${end}`] : [])]
  return sql.join([sql`true`, ...ends], sql` and `)
}

/** True for those who see the rows below a record that they made, whether they see that record or not. */
function keepsMade(me: Caller): boolean {
  return keptByMaker(me, 'o').length > 0
}

function limitedTo(among: Among | undefined, queries: Sql[]): Sql[] {
  if (!among) return queries
  return [sql`select id from (${unionOf(queries)}) v(id) where id in (${idsOf(among)})`]
}

function idsOf({ table }: Among): Sql {
  return sql`select id from ${sql.table(table)}`
}

/** The condition that an indexed column has one of the ids, which looks up each of them. */
function isOneOf(of: Sql, among: Among): Sql {
  return sql`${of} = any(array(${idsOf(among)}))`
}

/** The ids of some queries that are also in `among`, in one test, so that `among` is hashed once. */
function testedAmong(queries: Sql[], among: Among): Sql {
  return sql`select id from (${unionOf(queries)} offset 0) v where ${isIn(sql`id`, idsOf(among))}`
}

/** True if `visibleIdsOfClients` supports the entity for this person. */
export function isFoundByClients({ scope, scopeKey }: Entity, me: Caller): boolean {
  return scope !== undefined && scope in OF_CLIENTS && !scopeKey && !seesAll(me)
}

/**
 * Queries whose union is the visible ids of rows that belong to some clients, found by the issues of these clients;
 * `ctes` are the common table expressions that they read.
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

// Queries by scope, for the clients in the table `named`.
const OF_CLIENTS: Record<string, (me: Caller, named: Among) => Sql[]> = {
  issue: () => [sql`select id from named_issues`],
  client: (me, named) => [sql`select client from named_issues`, testedAmong(clientsOfCreated(me), named)],
  case: (me, named) => [sql`select "case" from named_issues`, createdOfClients(me, 'cases', named)],
  action: (me, named) => {
    const created = createdOfClients(me, 'actions', named)
    if (seesOwnOnly(me)) return [created]
    return [
      ...(keepsMade(me) ? [created] : []),
      sql`select o.id from actions o where o.issue = any(array(select id from named_issues))`,
      sql`select o.id from actions o where ${ofVisibleCaseAlone(me, 'o')} and ${isOneOf(sql`o.client`, named)}`,
    ]
  },
}

function createdOfClients(me: Caller, table: string, clients: Among): Sql {
  return sql`select o.id from ${sql.table(table)} o where ${createdBy(me, 'o')} and ${isIn(sql`o.client`, idsOf(clients))}`
}

/**
 * The condition for the rows under the alias r that a person may see, for queries that read all rows of a long list.
 * Actions and activities outside the period may be excluded too; the list has its own condition for the period.
 */
export function isVisibleRow(entity: Entity, me: Caller, period?: Partial<Period>): Sql {
  const ids = visibleIds(entity, me, { period })
  return ids ? sql`${sql.ref(`r.${keyOf(entity)}`)} = any(array(${unionOf(ids)}))` : scoped(entity, me)
}

/** The condition for visible actions under the alias `row`, all of which belong to some clients. */
export function isVisibleAction(me: Caller, row: string, clients: Among): Sql {
  if (seesAll(me) || seesOwnOnly(me)) return visibleTo('action', me, row)
  return anyOf([
    ...keptByMaker(me, row),
    sql`${column(row, 'issue')} in (select id from (${issuesOfClients(me, clients)}) s)`,
    ofVisibleCaseAlone(me, row),
  ])
}

/** A query for the ids of the visible issues, for people who are no administrators. */
export function visibleIssues(me: Caller): Sql {
  return unionOf(ownersOfIssues(me, 'id', []))
}

/** Joins queries by UNION ALL. */
export function unionOf(queries: Sql[]): Sql {
  return sql.join(queries, sql` union all `)
}

/**
 * A query for the clients who have a visible case of some services, for people who are no administrators. An issue has
 * the service of its case.
 */
export function clientsOfServices(me: Caller, services: number[]): Sql {
  const { byCaseload, byHubOrContract } = issueReasons(me, 'i')
  const ofIssues = (reason: Sql) =>
    sql`select i.client as id from issues i where ${reason} and ${isOfServices('i', services)}`
  return unionOf([
    sql`${createdIds(me, 'cases', 'client')} and ${isOfServices('o', services)}`,
    ...[...byCaseload, ...byHubOrContract].map(ofIssues),
  ])
}

/** The condition that a client of the alias r has a visible case of some services. */
export function hasCaseOfServices(me: Caller, services: number[]): Sql {
  if (seesAll(me)) return sql`r.id in (select k.client from cases k where ${isOfServices('k', services)})`
  const created = sql`select from cases k where k.client = r.id and ${createdBy(me, 'k')} and ${isOfServices('k', services)}`
  const visible = sql`select from issues i where i.client = r.id and ${isVisibleIssue(me, 'i')} and ${isOfServices('i', services)}`
  return sql`(exists (${created}) or exists (${visible}))`
}

function isOfServices(row: string, services: number[]): Sql {
  return sql`${column(row, 'service')} = any(${services}::int[])`
}

/** Queries for the clients that somebody created, and for those of the cases that they created. */
function clientsOfCreated(me: Caller): Sql[] {
  return [createdIds(me, 'clients', 'id'), createdIds(me, 'cases', 'client')]
}

/** A query for the ids of the rows of a table, or of their clients, that somebody created. */
export function createdIds(me: Caller, table: string, owner: 'id' | 'client'): Sql {
  return sql`select ${column('o', owner)} as id from ${sql.table(table)} o where ${createdBy(me, 'o')}`
}

/**
 * Queries for the owners (issue, case or client ids) of the visible issues, and for those that somebody created,
 * restricted by `among`. Few ids are looked up by the owner's index. Otherwise each rule uses its own index: one query
 * is for the caseload, and one for each hub or contract rule, whose index also has the owner.
 */
function ownersOfIssues(me: Caller, owner: 'id' | 'case' | 'client', created: Sql[], among?: Among): Sql[] {
  const of = column('i', owner)
  const owners = (condition: Sql) => sql`select ${of} as id from issues i where ${condition}`
  const { byCaseload, byHubOrContract } = issueReasons(me, 'i')
  if (!among) return [unionOf([...created, ...byCaseload.map(owners)]), ...byHubOrContract.map(owners)]
  const found = (condition: Sql) => owners(sql`${condition} and ${isOneOf(of, among)}`)
  return among.areFew
    ? [testedAmong(created, among), found(isVisibleIssue(me, 'i'))]
    : [testedAmong([...created, ...byCaseload.map(owners)], among), ...byHubOrContract.map(found)]
}

/** A query for the visible issues (id, "case", client) of some clients, in the same way. */
function issuesOfClients(me: Caller, clients: Among): Sql {
  const issues = (condition: Sql) => sql`select i.id, i."case", i.client from issues i where ${condition}`
  const found = (condition: Sql) => issues(sql`${condition} and ${isOneOf(sql`i.client`, clients)}`)
  if (clients.areFew) return found(isVisibleIssue(me, 'i'))
  const { byCaseload, byHubOrContract } = issueReasons(me, 'i')
  const tested = sql`select id, "case", client from (${unionOf(byCaseload.map(issues))} offset 0) v
    where ${isIn(sql`client`, idsOf(clients))}`
  return unionOf([tested, ...byHubOrContract.map(found)])
}

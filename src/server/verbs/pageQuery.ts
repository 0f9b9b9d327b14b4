import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { FoundCases } from '../answerSearch.ts'
import type { Call } from '../call.ts'
import { keyOf, readFrom } from '../columns.ts'
import type { Sql } from '../db.ts'
import { isIn, type Matches } from '../matches.ts'
import { PLANNED_ANEW } from '../namedStatements.ts'
import type { Period } from '../report.ts'
import { scoped, seesByPlace, seesEveryRow } from '../scope.ts'
import { fewFor, isSeen, visibleIds, visibleIdsOfClients } from '../visibleIds.ts'
import { type Order, orderBy } from './order.ts'

/** How far lists count. */
export const COUNTED = 10_000
/** Of an array of PostgreSQL. */
const LARGEST_SUBSCRIPT = 2 ** 31 - 1
const HITS = sql`array(select id from hits)`

export interface PageRequest {
  conditions: Sql[]
  /** The same, to find rows by. */
  finding: Sql[]
  /** The rows that meet the conditions, where they were found first. */
  matches?: Matches
  /** The clients that rows must be of, and the other conditions; omitted: any. */
  named?: { clients: Matches; others: Sql[] }
  /** Rows must be among these; omitted: any. */
  within?: FoundCases
  /** Columns to sum over all rows; not with `named` or `within`. */
  totals: string[]
  /** Whether something else reads `found`. */
  isSummed: boolean
  order: Order[]
  offset: number
  size: number
}
/** Pieces of the query of a page. */
interface Parts {
  /** What is computed once: `found`, the ids of the matches as far as lists count, comes last. */
  ctes: Sql[]
  /** Whether `found` also has the columns that the list is ordered by. */
  isSorted?: boolean
  /** A query for the ids of the page where more were found than lists count; omitted: all were found. */
  scan?: Sql
  /** Whether one plan is good for all callers, because it is the same however much they see. */
  isPlannedOnce?: boolean
  /** The array of all ids that were found, in the order of the list; omitted: they are counted and sorted in `found`. */
  inOrder?: Sql
}

/**
 * The query for the ids of a page: `with` computes the ids of all matches once, in `found`, as far as lists count; `page`
 * is the array of those on the page, `hint` the comment that has the statement planned anew, or nothing.
 */
export function pageQuery(
  call: Call,
  entity: Entity,
  request: PageRequest,
): { with: Sql; count: Sql; page: Sql; hint: Sql } {
  if (isAllByKey(call, entity, request)) return pageByKey(call, entity, request)
  const {
    ctes,
    scan,
    isPlannedOnce,
    inOrder,
    isSorted = isByKey(entity, request),
  } = partsOf(call, entity, request)
  if (inOrder) return pageInOrder(ctes, inOrder, request)
  const count = sql`select count(*) as n from found`
  const isFound = keyIn(entity, sql`array(select id from found)`)
  const pageOfFound = isSorted
    ? sql`select r.id from found r ${orderAndLimit(entity, request)}`
    : pageWhere(entity, [isFound], request)
  const ofFound = sql`array(${pageOfFound})`
  // A file of more rows than lists count is refused, so none of them is read.
  const ofMore = call.exporting ? sql`'{}'` : scan && sql`array(${scan})`
  // Elsewhere one person's plan could be far too slow for another, who sees much more.
  const isStable = isPlannedOnce || call.endpoint.by !== undefined || seesEveryRow(entity, call.me)
  return {
    with: sql`with ${sql.join(ctes)}`,
    hint: isStable ? sql`` : sql.raw(PLANNED_ANEW),
    count,
    page: ofMore ? sql`case when (${count}) <= ${COUNTED} then ${ofFound} else ${ofMore} end` : ofFound,
  }
}

/** Whether the page is of what an administrator sees without conditions, in the order of the key. */
function isAllByKey(call: Call, entity: Entity, request: PageRequest): boolean {
  const isAll = !call.endpoint.by && !request.within && request.conditions.length === 0
  const isPage = !call.exporting && !request.isSummed
  return isAll && isPage && isByKey(entity, request) && seesEveryRow(entity, call.me)
}

/** The index has the page, so nothing has to be kept of what is counted. */
function pageByKey(call: Call, entity: Entity, request: PageRequest): ReturnType<typeof pageQuery> {
  const isSeen = [scoped(entity, call.me)]
  return {
    with: sql``,
    hint: sql``,
    count: sql`select count(*) as n from (${idsWhere(entity, isSeen, { limit: COUNTED + 1 })}) found`,
    page: sql`array(${pageWhere(entity, isSeen, request)})`,
  }
}

/** An array is counted at once, and one of 10,000 ids takes less to make than a table of them. */
function pageInOrder(ctes: Sql[], ids: Sql, { offset, size }: PageRequest): ReturnType<typeof pageQuery> {
  const [first, last] = [offset + 1, offset + size].map((n) => Math.min(n, LARGEST_SUBSCRIPT))
  return {
    with: sql`with ${sql.join(ctes)}`,
    hint: sql``,
    count: sql`select cardinality(${ids}) as n`,
    page: sql`(${ids})[${first}:${last}]`,
  }
}

/**
 * With a parent id, filter row by row. Otherwise compute the visible ids first: of clients of a name by their issues; of
 * matches that were found; only as many as page and count need when the list is ordered by key without conditions; else
 * all of them.
 */
function partsOf(call: Call, entity: Entity, request: PageRequest): Parts {
  const { conditions, finding, matches, named, within, totals } = request
  if (totals.length > 0) return partsOfAll(call, entity, request)
  if (within) return partsWithin(call, entity, within, request)
  if (named) return partsOfNamed(call, entity, named, request)
  if (matches) return partsOfMatches(call, entity, matches)
  const byRow = scoped(entity, call.me)
  const ids = call.endpoint.by ? undefined : visibleIds(entity, call.me)
  if (!ids) return matching(entity, [byRow, ...finding], request)
  if (conditions.length === 0 && isByKey(entity, request)) return firstOf(ids, request)
  // Sorted, because an index scan for many ids sorts them anyway; computed only where it is read.
  const seen = sql`seen as materialized (select array(${idsOfUnion(ids)} order by 1) as ids)`
  const ofSeen = [keyIn(entity, sql`(select ids from seen)::int[]`), ...conditions]
  const parts = matching(entity, ofSeen, request)
  return { ...parts, ctes: [seen, ...parts.ctes] }
}

/** All rows, for what is summed is of all. */
function partsOfAll({ me, query }: Call, entity: Entity, { conditions, order, totals }: PageRequest): Parts {
  const sorted = sortColumns(entity, order, totals)
  const period: Partial<Period> | undefined = entity.facts && query
  const found = idsWhere(entity, [isSeen(entity, me, period), ...conditions], { sorted })
  return { ctes: [sql`found as materialized (${found})`], isSorted: true }
}

/** Those of the rows found that are visible. */
function partsOfMatches(call: Call, entity: Entity, { ids, areFew }: Matches): Parts {
  const visible = visibleIds(entity, call.me, { among: { table: 'hits', areFew } })!
  return {
    ctes: [sql`hits(id) as materialized (${ids})`, foundIn(distinct(idsOfUnion(visible)))],
    isPlannedOnce: true,
  }
}

/** Of the rows of some clients all are found, for what of these is visible is computed whole in any case. */
function partsOfNamed(
  { me }: Call,
  entity: Entity,
  { clients, others }: NonNullable<PageRequest['named']>,
  { order }: PageRequest,
): Parts {
  const { ctes, ids } = visibleIdsOfClients(entity, me, clients)
  const conditions = [keyIn(entity, sql`array(${idsOfUnion(ids)} order by 1)`), ...others]
  const found = idsWhere(entity, conditions, { sorted: sortColumns(entity, order) })
  return { ctes: [...ctes, sql`found as materialized (${found})`], isSorted: true, isPlannedOnce: true }
}

/** Of rows among some ids all are found, for these are computed whole in any case. */
function partsWithin(call: Call, entity: Entity, within: FoundCases, { conditions }: PageRequest): Parts {
  const { ids, isVisible, isDistinct } = within
  const { me } = call
  const hits = sql`hits(id) as materialized (${ids})`
  const all = isVisible ? undefined : visibleIds(entity, me)
  if (!all) {
    const isSeen = isVisible || seesEveryRow(entity, me) ? [] : [scoped(entity, me)]
    const tests = [...isSeen, ...conditions]
    if (tests.length > 0) return { ctes: [hits, foundIn(idsWhere(entity, [keyIn(entity, HITS), ...tests]))] }
    return { ctes: [foundIn(isDistinct ? ids : distinct(ids))] }
  }
  const meeting = (seen: Sql) =>
    conditions.length > 0
      ? idsWhere(entity, [keyIn(entity, sql`array(${seen} order by 1)`), ...conditions])
      : distinct(seen)
  const ofFew = meeting(idsOfUnion(visibleIds(entity, me, { among: { table: 'hits', areFew: true } })!))
  const many = sql`select id from hits`
  // What is more is tested, so that what is less is hashed.
  const ofMany = meeting(
    seesByPlace(me)
      ? sql`select id from (${idsOfUnion(all)} offset 0) v where ${isIn(sql`id`, many)}`
      : sql`${many} where ${isIn(sql`id`, idsOfUnion(all))}`,
  )
  const found = sql`select unnest(case when (select count(*) from hits) <= ${fewFor(me)} then array(${ofFew})
    else array(${ofMany}) end)`
  return { ctes: [hits, foundIn(found)] }
}

/** The ids of a query without the same ones, which sorting leaves out faster than hashing. */
function distinct(ids: Sql): Sql {
  return sql`select distinct id from (select id from (${ids}) q(id) order by id) s`
}

function idsOfUnion(ids: Sql[]): Sql {
  return sql`select id from (${sql.join(ids, sql` union all `)}) v(id)`
}

/** The rows that meet some conditions. */
function matching(entity: Entity, conditions: Sql[], request: PageRequest): Parts {
  const sorted = sortColumns(entity, request.order)
  return {
    ctes: [sql`found as materialized (${idsWhere(entity, conditions, { limit: COUNTED + 1, sorted })})`],
    scan: pageWhere(entity, conditions, request),
    isSorted: true,
  }
}

/** What `found` has beside the ids: what it is sorted by, and further columns. */
function sortColumns(entity: Entity, order: Order[], further: string[] = []): Sql[] {
  const names = new Set([keyOf(entity), ...order.map(({ name }) => name), ...further])
  names.delete('id')
  return [...names].map((name) => sql`, ${sql.ref(`r.${name}`)}`)
}

function foundIn(query: Sql): Sql {
  return sql`found(id) as materialized (${query})`
}

/** Ids of rows that meet all conditions, of the alias r; `sorted` are further columns. */
export function idsWhere(
  entity: Entity,
  conditions: Sql[],
  { limit, sorted = [] }: { limit?: number; sorted?: Sql[] } = {},
): Sql {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  return sql`select ${sql.ref(`r.${keyOf(entity)}`)} as id ${sql.join(sorted, sql``)} from ${readFrom(entity)} r ${where}
    ${limit === undefined ? sql`` : sql`limit ${limit}`}`
}

function pageWhere(entity: Entity, conditions: Sql[], request: PageRequest): Sql {
  return sql`${idsWhere(entity, conditions)} ${orderAndLimit(entity, request)}`
}

function orderAndLimit(entity: Entity, { order, size, offset }: PageRequest): Sql {
  return sql`order by ${orderBy(entity, order)} limit ${size} offset ${offset}`
}

export function keyIn(entity: Entity, ids: Sql): Sql {
  return sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${ids})`
}

function isByKey(entity: Entity, { order: [first] }: PageRequest): boolean {
  return first.name === keyOf(entity)
}

/** The first rows overall: each query is put in order, where an index does not have it so, and read as far as needed. */
function firstOf(ids: Sql[], { order: [{ down }], offset, size }: PageRequest): Parts {
  const order = sql.raw(down ? 'desc' : 'asc')
  const sorted = ids.map((query) => sql`(select id from (${query}) q(id) order by id ${order})`)
  const first = sql`select distinct id from (${sql.join(sorted, sql` union all `)}) s order by id ${order}
    limit ${Math.max(COUNTED + 1, offset + size)}`
  return {
    ctes: [
      sql`first as materialized (select array(${first}) as ids)`,
      sql`found(id) as (select unnest(ids) from first)`,
    ],
    inOrder: sql`(select ids from first)::int[]`,
  }
}

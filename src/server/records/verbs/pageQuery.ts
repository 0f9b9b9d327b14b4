import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { scoped, seesEveryRow, seesHubOrContracts } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'
import type { Period } from '../../core/today.ts'
import { keyOf, readFrom } from '../query/columns.ts'
import { type FoundRows, isIn, type Matches } from '../query/matches.ts'
import { type Order, orderBy } from '../query/order.ts'
import { isVisibleRow, prefetchLimit, visibleIds, visibleIdsOfClients } from '../query/visibleIds.ts'

/** Maximum number of rows that lists count. */
export const COUNT_LIMIT = 10_000
/** Maximum subscript of an array in PostgreSQL. */
const MAX_SUBSCRIPT = 2 ** 31 - 1
const HITS = sql`array(select id from hits)`

export interface PageRequest {
  conditions: Sql[]
  /** Equivalent conditions that find rows by an index. */
  indexConditions: Sql[]
  /** The rows that meet the conditions, if they were prefetched. */
  matches?: Matches
  /** Clients that the rows must belong to, and the other conditions; omitted: any. */
  named?: { clients: Matches; others: Sql[] }
  /** Rows must be among these; omitted: any. */
  within?: FoundRows
  /** Columns to sum over all rows; not with `named` or `within`. */
  totals: string[]
  /** True if a further query reads `found`. */
  isSummed: boolean
  order: Order[]
  offset: number
  size: number
}
/** Parts of the query for a page. */
interface Parts {
  /** Common table expressions; the last is `found`, the ids of the matches, of which COUNT_LIMIT + 1 suffice. */
  ctes: Sql[]
  /** True if `found` also has the columns that the list is sorted by. */
  isSorted?: boolean
  /** A query for the ids of the page if there are more than COUNT_LIMIT matches; omitted: `found` has all matches. */
  overflowPage?: Sql
  /** True if one plan suits all callers, however many rows they may see. */
  isPlannedOnce?: boolean
  /** Array of all matching ids in the order of the list; omitted: `found` is counted and sorted. */
  sortedIds?: Sql
}

/**
 * The query for the ids of a page: `with` computes the ids of all matches once, in `found`, at most those that lists
 * count; `page` is the array of those on the page, `hint` the comment NO_PREPARE or nothing.
 */
export function pageQuery(
  call: Call,
  entity: Entity,
  request: PageRequest,
): { with: Sql; count: Sql; page: Sql; hint: Sql } {
  if (isAllByKey(call, entity, request)) return pageByKey(call, entity, request)
  const {
    ctes,
    overflowPage,
    isPlannedOnce,
    sortedIds,
    isSorted = isByKey(entity, request),
  } = partsOf(call, entity, request)
  if (sortedIds) return pageOfSortedIds(ctes, sortedIds, request)
  const count = sql`select count(*) as n from found`
  const isFound = keyIn(entity, sql`array(select id from found)`)
  const pageOfFound = isSorted
    ? sql`select r.id from found r ${orderAndLimit(entity, request)}`
    : pageWhere(entity, [isFound], request)
  const ofFound = sql`array(${pageOfFound})`
  // An export of more than COUNT_LIMIT rows is refused, so none of them is read.
  const ofMore = call.exporting ? sql`'{}'` : overflowPage && sql`array(${overflowPage})`
  // Otherwise the plan for one person could be far too slow for another, who may see many more rows.
  const isStable = isPlannedOnce || call.endpoint.by !== undefined || seesEveryRow(entity, call.me)
  return {
    with: sql`with ${sql.join(ctes)}`,
    hint: isStable ? sql`` : sql.raw(NO_PREPARE),
    count,
    page: ofMore ? sql`case when (${count}) <= ${COUNT_LIMIT} then ${ofFound} else ${ofMore} end` : ofFound,
  }
}

/** True if the page is of all rows, without conditions and in the order of the key. */
function isAllByKey(call: Call, entity: Entity, request: PageRequest): boolean {
  const isAll = !call.endpoint.by && !request.within && request.conditions.length === 0
  const isPage = !call.exporting && !request.isSummed
  return isAll && isPage && isByKey(entity, request) && seesEveryRow(entity, call.me)
}

/** Reads the page from the index of the key, so that the counted ids need not be materialised. */
function pageByKey(call: Call, entity: Entity, request: PageRequest): ReturnType<typeof pageQuery> {
  const scope = [scoped(entity, call.me)]
  return {
    with: sql``,
    hint: sql``,
    count: sql`select count(*) as n from (${idsWhere(entity, scope, { limit: COUNT_LIMIT + 1 })}) found`,
    page: sql`array(${pageWhere(entity, scope, request)})`,
  }
}

/** Takes count and page from an array: it has its length, and is faster to make than a table of 10,000 ids. */
function pageOfSortedIds(ctes: Sql[], ids: Sql, { offset, size }: PageRequest): ReturnType<typeof pageQuery> {
  const [first, last] = [offset + 1, offset + size].map((n) => Math.min(n, MAX_SUBSCRIPT))
  return {
    with: sql`with ${sql.join(ctes)}`,
    hint: sql``,
    count: sql`select cardinality(${ids}) as n`,
    page: sql`(${ids})[${first}:${last}]`,
  }
}

/**
 * Picks the strategy: all rows for totals, ids in `within`, rows of named clients, prefetched matches, row by row below
 * a parent, the first ids in order of the key, or all visible ids.
 */
function partsOf(call: Call, entity: Entity, request: PageRequest): Parts {
  const { conditions, indexConditions, matches, named, within, totals } = request
  if (totals.length > 0) return partsOfAll(call, entity, request)
  if (within) return partsWithin(call, entity, within, request)
  if (named) return partsOfNamed(call, entity, named, request)
  if (matches) return partsOfMatches(call, entity, matches)
  const byRow = scoped(entity, call.me)
  const ids = call.endpoint.by ? undefined : visibleIds(entity, call.me)
  if (!ids) return matching(entity, [byRow, ...indexConditions], request)
  if (conditions.length === 0 && isByKey(entity, request)) return firstOf(ids, request)
  // Sorted, because an index scan for many ids sorts them anyway. PostgreSQL computes it only if it is read.
  const seen = sql`seen as materialized (select array(${idsOfUnion(ids)} order by 1) as ids)`
  const ofSeen = [keyIn(entity, sql`(select ids from seen)::int[]`), ...conditions]
  const parts = matching(entity, ofSeen, request)
  return { ...parts, ctes: [seen, ...parts.ctes] }
}

/** All visible rows, for totals are sums over all of them. */
function partsOfAll({ me, query }: Call, entity: Entity, { conditions, order, totals }: PageRequest): Parts {
  const sorted = sortColumns(entity, order, totals)
  const period: Partial<Period> | undefined = entity.facts && query
  const found = idsWhere(entity, [isVisibleRow(entity, me, period), ...conditions], { sorted })
  return { ctes: [sql`found as materialized (${found})`], isSorted: true }
}

/** The prefetched rows that are visible. */
function partsOfMatches(call: Call, entity: Entity, { ids, areFew }: Matches): Parts {
  const visible = visibleIds(entity, call.me, { among: { table: 'hits', areFew } })!
  return {
    ctes: [sql`hits(id) as materialized (${ids})`, foundIn(distinct(idsOfUnion(visible)))],
    isPlannedOnce: true,
  }
}

/** All visible rows of the named clients: their visible issues are computed in full in any case. */
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

/** All visible rows in `within`, whose ids are computed in full in any case. */
function partsWithin(call: Call, entity: Entity, within: FoundRows, { conditions }: PageRequest): Parts {
  const { ids, isVisible, isDistinct } = within
  const { me } = call
  const hits = sql`hits(id) as materialized (${ids})`
  const all = isVisible ? undefined : visibleIds(entity, me)
  if (!all) {
    const scope = isVisible || seesEveryRow(entity, me) ? [] : [scoped(entity, me)]
    const tests = [...scope, ...conditions]
    if (tests.length > 0) return { ctes: [hits, foundIn(idsWhere(entity, [keyIn(entity, HITS), ...tests]))] }
    return { ctes: [foundIn(isDistinct ? ids : distinct(ids))] }
  }
  const meeting = (visible: Sql) =>
    conditions.length > 0
      ? idsWhere(entity, [keyIn(entity, sql`array(${visible} order by 1)`), ...conditions])
      : distinct(visible)
  const ofFew = meeting(idsOfUnion(visibleIds(entity, me, { among: { table: 'hits', areFew: true } })!))
  const many = sql`select id from hits`
  // Hash the smaller set and probe it with the larger.
  const ofMany = meeting(
    seesHubOrContracts(me)
      ? sql`select id from (${idsOfUnion(all)} offset 0) v where ${isIn(sql`id`, many)}`
      : sql`${many} where ${isIn(sql`id`, idsOfUnion(all))}`,
  )
  const found = sql`select unnest(case when (select count(*) from hits) <= ${prefetchLimit(me)} then array(${ofFew})
    else array(${ofMany}) end)`
  return { ctes: [hits, foundIn(found)] }
}

/** The distinct ids of a query, by sorting, which is faster than hashing. */
function distinct(ids: Sql): Sql {
  return sql`select distinct id from (select id from (${ids}) q(id) order by id) s`
}

function idsOfUnion(ids: Sql[]): Sql {
  return sql`select id from (${sql.join(ids, sql` union all `)}) v(id)`
}

/** The rows that meet some conditions, up to COUNT_LIMIT + 1. */
function matching(entity: Entity, conditions: Sql[], request: PageRequest): Parts {
  const sorted = sortColumns(entity, request.order)
  return {
    ctes: [sql`found as materialized (${idsWhere(entity, conditions, { limit: COUNT_LIMIT + 1, sorted })})`],
    overflowPage: pageWhere(entity, conditions, request),
    isSorted: true,
  }
}

/** Columns of `found` besides the id: those that it is sorted by, and further ones. */
function sortColumns(entity: Entity, order: Order[], further: string[] = []): Sql[] {
  const names = new Set([keyOf(entity), ...order.map(({ name }) => name), ...further])
  names.delete('id')
  return [...names].map((name) => sql`, ${sql.ref(`r.${name}`)}`)
}

function foundIn(query: Sql): Sql {
  return sql`found(id) as materialized (${query})`
}

/** A query for the ids of rows that meet all conditions on the alias r; `sorted` are further columns. */
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

/** The condition that the key of r is in an array. */
export function keyIn(entity: Entity, ids: Sql): Sql {
  return sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${ids})`
}

function isByKey(entity: Entity, { order: [first] }: PageRequest): boolean {
  return first.name === keyOf(entity)
}

/** The first ids in the order of the key: each query is sorted, or read in the order of its index, as far as needed. */
function firstOf(ids: Sql[], { order: [{ isDescending }], offset, size }: PageRequest): Parts {
  const order = sql.raw(isDescending ? 'desc' : 'asc')
  const sorted = ids.map((query) => sql`(select id from (${query}) q(id) order by id ${order})`)
  const first = sql`select distinct id from (${sql.join(sorted, sql` union all `)}) s order by id ${order}
    limit ${Math.max(COUNT_LIMIT + 1, offset + size)}`
  return {
    ctes: [
      sql`first as materialized (select array(${first}) as ids)`,
      sql`found(id) as (select unnest(ids) from first)`,
    ],
    sortedIds: sql`(select ids from first)::int[]`,
  }
}

import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { DEFAULT_PAGE_SIZE, LARGEST_PAGE } from '../../../contract/limits.ts'
import { seesEveryRow } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import type { RowOf } from '../../core/typedRows.ts'
import { matchingClients } from '../query/clientsByName.ts'
import { columnsOf, keyOf, readFrom } from '../query/columns.ts'
import { type FoundRows, findMatches, type Matches } from '../query/matches.ts'
import { orderBy, requestedOrder } from '../query/order.ts'
import {
  conditionsOf,
  indexConditionsOf,
  isSelective,
  namedClients,
  refuseOthersWork,
  requestedIds,
  requestedServices,
} from '../query/query.ts'
import { clientsOfServices, isFoundByClients, prefetchLimit, visibleIds } from '../query/visibleIds.ts'
import { answeredCases } from './answerSearch.ts'
import { COUNT_LIMIT, idsWhere, keyIn, type PageRequest, pageQuery } from './pageQuery.ts'
import { requireParent } from './parentOf.ts'

/** Makes a query that aggregates the ids in `found`; with `areFew` it should look up each of them. */
export type Sum = (areFew: boolean) => Sql

/**
 * A page of the visible rows: `{data, pagination}`; counts are exact up to COUNT_LIMIT. Entities with facts also get
 * `totals`, the sums over all rows of the fields that the entity marks, as in the report that links here. With the
 * query `sum` the reply has its result as `sum`, null above COUNT_LIMIT.
 */
export async function list<E extends Entity>(call: Call, entity: E, sum?: Sum) {
  refuseOthersWork(call, entity)
  await requireParent(call, entity)
  const fixed = fixedConditions(call)
  const summed = Object.keys(entity.properties).filter(
    (name) => entity.facts && entity.properties[name].total,
  )
  // If every row is visible, sums need all rows but a page does not, so they are separate queries.
  const isEverything = seesEveryRow(entity, call.me)
  const answered = await answeredCases(call)
  const named = answered || summed.length > 0 ? undefined : await namedOf(call, entity, fixed)
  // A query finds the clients of a service; beside a name, of which there are few, each client is tested.
  const ofServices = named || answered || isEverything ? undefined : requestedServices(call)
  const conditions = [...fixed, ...(ofServices?.others ?? conditionsOf(call))]
  const page = await pageOf(call, entity, conditions, {
    indexConditions: ofServices ? conditions : [...fixed, ...indexConditionsOf(call)],
    named,
    within: answered ?? (ofServices && foundByServices(call, ofServices.services)),
    sum,
    totals: isEverything ? [] : summed,
  })
  return isEverything && summed.length > 0
    ? { ...page, totals: await totalsOf(call, entity, conditions, summed) }
    : page
}

/** The visible clients who have a visible case of some services. */
function foundByServices({ me }: Call, services: number[]): FoundRows {
  return { ids: clientsOfServices(me, services), isVisible: true, isDistinct: false }
}

/** The clients that match the call's filter by name, for entities whose rows are found by their clients. */
async function namedOf(call: Call, entity: Entity, fixed: Sql[]): Promise<PageRequest['named']> {
  const named =
    call.endpoint.by || !isFoundByClients(entity, call.me) ? undefined : namedClients(call, entity)
  if (!named) return undefined
  const clients = await matchingClients(call, named.clients)
  return {
    clients: clients ?? { ids: named.clients.ids, areFew: false },
    others: [...fixed, ...named.others],
  }
}

/** Sums of some fields over all rows of a list, for people who may see every row. */
async function totalsOf(call: Call, entity: Entity, conditions: Sql[], summed: string[]): Promise<Row> {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const [row] = await rowsOf(
    call,
    sql`select ${sumsOf(summed)} as "#totals" from ${readFrom(entity)} r ${where}`,
  )
  return row['#totals'] as Row
}

/** SQL of a JSON object with the sums of some columns of r. */
function sumsOf(names: string[]): Sql {
  const sums = names.flatMap((name) => [
    sql`${name}::text`,
    sql`coalesce(sum(${sql.ref(`r.${name}`)}), 0)::float8`,
  ])
  return sql`json_build_object(${sql.join(sums)})`
}

/**
 * A page of the visible rows that meet conditions on the alias r and are in `within`; all columns are read only for the
 * rows of the page. `indexConditions` are equivalent conditions that find rows by an index, `unique` is the condition
 * under which ids are unique, if they are not throughout.
 */
export async function pageOf<E extends Entity>(
  call: Call,
  entity: E,
  conditions: Sql[],
  {
    indexConditions = conditions,
    named,
    within,
    sum,
    totals = [],
    unique = sql`true`,
  }: Partial<PageRequest> & { sum?: Sum; unique?: Sql } = {},
) {
  const { p, size } = requestedPage(call)
  const order = requestedOrder(call, entity)
  const selected = selectedRows(call, entity)
  const request = {
    conditions: [...conditions, ...selected],
    indexConditions: [...indexConditions, ...selected],
    matches:
      named || within || totals.length > 0
        ? undefined
        : await matchesOf(call, entity, [...indexConditions, ...selected]),
    named: named && { ...named, others: [...named.others, ...selected] },
    within,
    totals,
    isSummed: sum !== undefined,
    order,
    offset: (p - 1) * size,
    size,
  }
  const query = pageQuery(call, entity, request)
  const summed =
    sum &&
    sql`, case when (${query.count}) <= ${COUNT_LIMIT} then (${sum((request.matches ?? named?.clients)?.areFew ?? false)}) end as "#sum"`
  const totalled = totals.length > 0 ? sql`, (select ${sumsOf(totals)} from found r) as "#totals"` : sql``
  const counted = sql`(${query.count}) as "#count" ${summed ?? sql``} ${totalled}`
  const { rows } = await sql<Row>`${query.with} select ${query.hint} ${counted}, ${columnsOf(entity, call.me)}
    from ${readFrom(entity)} r where ${keyIn(entity, query.page)} and ${ofParent(call)} and ${unique}
    order by ${orderBy(entity, order)}`.execute(call.db)
  // An empty later page and an export over the limit have no row that carries the count.
  const [first] =
    rows[0] || (p === 1 && !call.exporting) ? rows : await rowsOf(call, sql`${query.with} select ${counted}`)
  return {
    data: rows.map(({ '#count': _, '#sum': __, '#totals': ___, ...row }) => row as RowOf<E>),
    pagination: paginationOf(call, Number(first?.['#count'] ?? 0), p, size),
    ...(sum && { sum: first?.['#sum'] ?? null }),
    ...(totals.length > 0 && { totals: first?.['#totals'] ?? Object.fromEntries(totals.map((n) => [n, 0])) }),
  }
}

/** Prefetches the rows that meet all conditions, visible or not; undefined without conditions or with too many rows. */
async function matchesOf(call: Call, entity: Entity, conditions: Sql[]): Promise<Matches | undefined> {
  if (conditions.length === 0 || !isSelective(call, entity)) return undefined
  if (call.endpoint.by || !visibleIds(entity, call.me)) return undefined
  return findMatches(call, idsWhere(entity, conditions), prefetchLimit(call.me))
}

async function rowsOf({ db }: Call, query: Sql): Promise<Row[]> {
  return (await sql<Row>`${query}`.execute(db)).rows
}

/** The pagination of a reply; throws a 413 for an export of more than COUNT_LIMIT rows. */
export function paginationOf({ exporting }: Call, found: number, p: number, size: number) {
  const more = found > COUNT_LIMIT
  if (more && exporting) throw problem('tooMany')
  const count = Math.min(found, COUNT_LIMIT)
  return { p, page_size: size, count, more, num_pages: Math.max(1, Math.ceil(count / size)) }
}

/** Page number and size of the request; an export has all rows. A size above the maximum is an error, not reduced. */
export function requestedPage({ query, endpoint, exporting }: Call): { p: number; size: number } {
  if (exporting) return { p: 1, size: COUNT_LIMIT }
  const p = Number(query.p ?? query.page ?? 1)
  const size = Number(query.page_size ?? endpoint.pageSize ?? DEFAULT_PAGE_SIZE)
  const largest = LARGEST_PAGE[endpoint.largestPage ?? 'keyed']
  if (p < 1) throw fieldProblem({ p: ['must be 1 or more'] })
  if (size < 1) throw fieldProblem({ page_size: ['must be 1 or more'] })
  if (size > largest) throw fieldProblem({ page_size: [`must be ${largest} or less`] })
  return { p, size }
}

/** The condition for the selected rows of an export. */
function selectedRows(call: Call, entity: Entity): Sql[] {
  const ids = requestedIds(call)
  return ids ? [sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${ids}::int[])`] : []
}

/** Conditions of the descriptor: `where`, and the parent in the path. */
function fixedConditions(call: Call): Sql[] {
  const { endpoint, me, params } = call
  const where = Object.entries(endpoint.where ?? {}).map(([name, value]) => {
    const column = sql.ref(`r.${name}`)
    if (value === null) return sql`${column} is null`
    return sql`${column} = ${value === 'me' ? me.id : value === '{id}' ? params.id : value}`
  })
  return endpoint.by ? [...where, ofParent(call)] : where
}

/**
 * The condition for the rows of the parent in the path. The ids of a page already meet it; it is repeated where their
 * rows are read, because a view may compute its ids, and then only the parent has an index.
 */
function ofParent({ endpoint: { by }, params }: Call): Sql {
  return by ? sql`${sql.ref(`r.${by}`)} = ${params.id}` : sql`true`
}

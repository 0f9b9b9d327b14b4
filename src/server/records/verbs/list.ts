import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { DEFAULT_PAGE_SIZE, MAX_PAGE } from '../../../contract/limits.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import type { RowOf } from '../../core/typedRows.ts'
import { numbersOf } from '../merged/mergedRecords.ts'
import { columnsOf, keyOf, readFrom } from '../query/columns.ts'
import { orderBy, requestedOrder } from '../query/order.ts'
import { conditionsOf, refuseOthersWork, requestedIds } from '../query/query.ts'
import { answerConditions } from './answerSearch.ts'
import { COUNT_LIMIT, keyIn, type PageQuery, pageQuery } from './pageQuery.ts'
import { requireParent } from './parentOf.ts'

/** Query for one value of the rows whose keys are in `found`. */
export type Sum = Sql

/**
 * A page of the visible rows: `{data, pagination}`; counts are exact up to COUNT_LIMIT. Entities with facts also get
 * `totals`, the sums over all rows of the fields that the entity marks, as in the report that links here. With the
 * query `sum` the reply has its result as `sum`, null above COUNT_LIMIT.
 */
export async function list<E extends Entity>(call: Call, entity: E, sum?: Sum) {
  refuseOthersWork(call, entity)
  await requireParent(call, entity)
  const parent = await parentOfRows(call, entity)
  const conditions = [
    ...fixedConditions(call),
    ...(parent ? [parent] : []),
    ...conditionsOf(call),
    ...(await answerConditions(call)),
  ]
  const totals = Object.keys(entity.properties).filter(
    (name) => entity.facts && entity.properties[name].total,
  )
  return pageOf(call, entity, conditions, { sum, totals, parent })
}

/** SQL of a JSON object with the sums of some columns of `found`. */
function sumsOf(names: string[]): Sql {
  const sums = names.flatMap((name) => [
    sql`${name}::text`,
    sql`coalesce(sum(${sql.ref(`f.${name}`)}), 0)::float8`,
  ])
  return sql`(select json_build_object(${sql.join(sums)}) from found f)`
}

interface PageOptions {
  sum?: Sum
  /** Columns to sum over all rows. */
  totals?: string[]
  /** The condition under which keys are unique, if they are not throughout. */
  unique?: Sql
  /**
   * The condition for the rows of the parent in the path. The keys of a page already meet it; it is repeated where
   * their rows are read, because a view may compute its keys, and then only the parent has an index.
   */
  parent?: Sql
}

/**
 * A page of the visible rows that meet conditions on the alias r. The keys of the page are one statement and its
 * columns another: the plan of the first one depends on how many rows the caller sees, that of the long second one does
 * not.
 */
export async function pageOf<E extends Entity>(
  call: Call,
  entity: E,
  conditions: Sql[],
  { sum, totals = [], unique, parent }: PageOptions = {},
) {
  const { p, size } = requestedPage(call)
  const order = requestedOrder(call, entity)
  const all = [...conditions, ...selectedRows(call, entity)]
  const query = pageQuery(call, entity, { conditions: all, order, offset: (p - 1) * size, size, totals })
  const summed = sum ? sql`, case when ${query.count} <= ${COUNT_LIMIT} then (${sum}) end as sum` : sql``
  const totalled = totals.length > 0 ? sql`, ${sumsOf(totals)} as totals` : sql``
  const [found] = await rowsOf<FoundPage>(
    call,
    sql`${query.with} select ${query.hint} ${query.count} as count, ${query.keys} as keys ${summed} ${totalled}`,
  )
  const pagination = paginationOf(call, found.count, p, size)
  const keys = found.keys ?? (await keysOf(call, query))
  const meet = [scoped(entity, call.me), parent, unique].filter((one) => one !== undefined)
  const columns = sql`select ${columnsOf(entity, call.me)} from ${readFrom(entity)} r
    where ${keyIn(entity, keys)} and ${sql.join(meet, sql` and `)} order by ${orderBy(entity, order)}`
  return {
    data: keys.length === 0 ? [] : await rowsOf<RowOf<E>>(call, columns),
    pagination,
    ...(sum && { sum: found.sum }),
    ...(totals.length > 0 && { totals: found.totals }),
  }
}

interface FoundPage {
  count: number
  keys: unknown[] | null
  /** Result of the query `sum`. */
  sum?: unknown
  totals?: Record<string, number>
}

async function keysOf(call: Call, { hint, beyond }: PageQuery): Promise<unknown[]> {
  const [{ keys }] = await rowsOf<{ keys: unknown[] }>(call, sql`select ${hint} ${beyond} as keys`)
  return keys
}

async function rowsOf<R>({ db }: Call, query: Sql): Promise<R[]> {
  return (await sql<R>`${query}`.execute(db)).rows
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
  const largest = MAX_PAGE[endpoint.largestPage ?? 'keyed']
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

/** The conditions of the descriptor's `where`. */
function fixedConditions({ endpoint, me, params }: Call): Sql[] {
  return Object.entries(endpoint.where ?? {}).map(([name, value]) => {
    const column = sql.ref(`r.${name}`)
    if (value === null) return sql`${column} is null`
    return sql`${column} = ${value === 'me' ? me.id : value === '{id}' ? params.id : value}`
  })
}

/** The condition for the rows of the parent in the path; histories have events under all of its numbers. */
async function parentOfRows(
  { db, endpoint: { by }, params }: Call,
  { scope }: Entity,
): Promise<Sql | undefined> {
  if (!by) return undefined
  const isHistory = scope === 'history' || scope === 'opening'
  const numbers = isHistory ? await numbersOf(db, by, [Number(params.id)]) : []
  return numbers.length > 1
    ? sql`${sql.ref(`r.${by}`)} = any(${numbers}::int[])`
    : sql`${sql.ref(`r.${by}`)} = ${params.id}`
}

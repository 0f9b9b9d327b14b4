import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { DEFAULT_PAGE_SIZE, LARGEST_PAGE } from '../../contract/limits.ts'
import { answeredCases } from '../answerSearch.ts'
import type { Call } from '../call.ts'
import { columnsOf, keyOf, readFrom } from '../columns.ts'
import type { Row, Sql } from '../db.ts'
import { fieldProblem, problem } from '../problems.ts'
import { conditionsOf, requestedIds } from '../query.ts'
import { planHint, scoped, seesEveryRow, visibleIds } from '../scope.ts'
import { type Order, orderBy, requestedOrder } from './order.ts'
import { requireParent } from './parentOf.ts'

/** How far lists count. */
export const COUNTED = 10_000
/** Up to this many matches, checking each is faster than computing everything that is visible. */
const FEW = 1000

interface PageRequest {
  conditions: Sql[]
  /** A query for the ids that rows must be of; omitted: any. */
  within?: Sql
  order: Order[]
  offset: number
  size: number
}
/** Pieces of the query of a page: what may be seen, the ids of the page, and the rows to be counted. */
interface Parts {
  visible: Sql
  page: Sql
  counted: Sql
}

/**
 * A page of the rows this person may see: `{data, pagination}`; counts are exact up to 10,000. Of facts also `totals`,
 * the sums of all the rows, as the report that leads here has them.
 */
export async function list(call: Call, entity: Entity) {
  await requireParent(call, entity)
  const conditions = [...fixedConditions(call), ...conditionsOf(call)]
  const page = await pageOf(call, entity, conditions, await answeredCases(call))
  return entity.facts ? { ...page, totals: await totalsOf(call, entity, conditions) } : page
}

/** Sums of the fields that the entity marks, of all rows of a list. */
async function totalsOf(call: Call, entity: Entity, conditions: Sql[]): Promise<Row> {
  const summed = Object.keys(entity.properties).filter((name) => entity.properties[name].total)
  const sums = summed.map(
    (name) => sql`coalesce(sum(${sql.ref(`r.${name}`)}), 0)::float8 as ${sql.ref(name)}`,
  )
  const all = sql.join([scoped(entity, call.me), ...conditions], sql` and `)
  const { rows } =
    await sql<Row>`select ${planHint(entity, call.me)} ${sql.join(sums)} from ${readFrom(entity)} r where ${all}`.execute(
      call.db,
    )
  return rows[0]
}

/**
 * A page of the visible rows, under conditions on the alias r and among those whose ids the query `within` finds.
 * Limits the ids first and reads their rows after; page and count are one query, so that these ids are computed once.
 */
export async function pageOf(call: Call, entity: Entity, conditions: Sql[], within?: Sql) {
  const { p, size } = requestedPage(call)
  const order = requestedOrder(call, entity)
  const { visible, page, counted } = partsOf(call, entity, {
    conditions: [...conditions, ...requestedRows(call, entity)],
    within,
    order,
    offset: (p - 1) * size,
    size,
  })
  // The rows of one parent are few, whoever asks.
  const hint = call.endpoint.by ? sql`` : planHint(entity, call.me)
  const count = sql`select count(*) as n from (${counted} limit ${COUNTED + 1}) capped`
  const { rows } =
    await sql<Row>`${visible} select ${hint} (${count}) as "#count", ${columnsOf(entity, call.me)}
    from ${readFrom(entity)} r where ${sql.ref(`r.${keyOf(entity)}`)} = any(array(${page})) and ${ofParent(call)}
    order by ${orderBy(entity, order)}`.execute(call.db)
  const found = rows[0] || p === 1 ? rows[0]?.['#count'] : await countAlone(call, sql`${visible} ${count}`)
  return {
    data: rows.map(({ '#count': _, ...row }) => row),
    pagination: paginationOf(call, Number(found ?? 0), p, size),
  }
}

/** Counts separately if a later page is empty, since no row then carries the count. */
async function countAlone({ db }: Call, count: Sql): Promise<number> {
  const { rows } = await sql<{ n: number }>`${count}`.execute(db)
  return rows[0].n
}

/** Where a page stands among all rows that were found. */
export function paginationOf({ exporting }: Call, found: number, p: number, size: number) {
  const more = found > COUNTED
  if (more && exporting) throw problem('tooMany')
  const count = Math.min(found, COUNTED)
  return { p, page_size: size, count, more, num_pages: Math.max(1, Math.ceil(count / size)) }
}

/**
 * With a parent id, filter row by row. Otherwise compute the visible ids first: only as many as page and count need when
 * the list is ordered by key without conditions; those of the matches where these are few; else all of them.
 */
function partsOf(call: Call, entity: Entity, { within, ...request }: PageRequest): Parts {
  const { endpoint, me } = call
  const [first] = request.order
  const key = sql.ref(`r.${keyOf(entity)}`)
  const isByKey = request.conditions.length === 0 && first.name === keyOf(entity)
  if (isByKey && within && !endpoint.by && seesEveryRow(entity, me)) return firstOf([within], first, request)
  const byRow = scoped(entity, me)
  const ids = endpoint.by ? undefined : visibleIds(entity, me)
  if (!ids) {
    const conditions = within ? [...request.conditions, sql`${key} in (${within})`] : request.conditions
    return filteredRows(entity, { ...request, conditions }, byRow)
  }
  if (isByKey && !within) return firstOf(ids, first, request)
  const found = filteredRows(entity, request, sql`${key} = any((select ids from seen)::int[])`)
  const all = sql`select id from (${sql.join(ids, sql` union all `)}) v(id)`
  // Sorted, because an index scan for many ids sorts them anyway.
  if (!within && request.conditions.length === 0)
    return { ...found, visible: sql`with seen as materialized (select array(${all} order by 1) as ids)` }
  const rows = sql`select ${key} from ${readFrom(entity)} r where`
  const hits = within ?? sql`${rows} ${sql.join(request.conditions, sql` and `)} limit ${FEW + 1}`
  const many = within ? sql`${all} where id in (select id from hits)` : all
  return {
    ...found,
    visible: sql`with hits(id) as materialized (${hits}), seen as materialized (
      select case when (select count(*) from hits) > ${FEW} then array(${many} order by 1)
        else array(${rows} ${key} = any(array(select id from hits)) and ${byRow}) end as ids)`,
  }
}

function filteredRows(entity: Entity, { conditions, order, offset, size }: PageRequest, scope: Sql): Parts {
  const rows = sql`from ${readFrom(entity)} r where ${sql.join([scope, ...conditions], sql` and `)}`
  const key = sql.ref(`r.${keyOf(entity)}`)
  return {
    visible: sql``,
    page: sql`select ${key} as id ${rows} order by ${orderBy(entity, order)} limit ${size} offset ${offset}`,
    counted: sql`select ${rows}`,
  }
}

/** The first rows overall are among the first rows of each query. */
function firstOf(ids: Sql[], { down }: Order, { offset, size }: PageRequest): Parts {
  const order = sql.raw(down ? 'desc' : 'asc')
  const needed = Math.max(COUNTED + 1, offset + size)
  const first = ids.map(
    (query) => sql`(select distinct id from (${query}) q(id) order by id ${order} limit ${needed})`,
  )
  return {
    visible: sql`with seen as materialized (
      select distinct id from (${sql.join(first, sql` union all `)}) s(id) order by id ${order} limit ${needed})`,
    page: sql`select id from seen order by id ${order} limit ${size} offset ${offset}`,
    counted: sql`select from seen`,
  }
}

/** Which page is asked for, and its size; a file has all rows. A page that is too large is refused, never cut. */
export function requestedPage({ query, endpoint, exporting }: Call): { p: number; size: number } {
  if (exporting) return { p: 1, size: COUNTED }
  const p = Number(query.p ?? query.page ?? 1)
  const size = Number(query.page_size ?? endpoint.pageSize ?? DEFAULT_PAGE_SIZE)
  const largest = LARGEST_PAGE[endpoint.largestPage ?? 'keyed']
  if (p < 1) throw fieldProblem({ p: ['must be 1 or more'] })
  if (size < 1) throw fieldProblem({ page_size: ['must be 1 or more'] })
  if (size > largest) throw fieldProblem({ page_size: [`must be ${largest} or less`] })
  return { p, size }
}

/** The condition that keeps the rows whose ids an export names. */
function requestedRows(call: Call, entity: Entity): Sql[] {
  const ids = requestedIds(call)
  return ids ? [sql`${sql.ref(`r.${keyOf(entity)}`)} = any(${ids}::int[])`] : []
}

/** Conditions that the descriptor fixes: `where`, and the parent that the path names. */
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
 * The condition that keeps the rows of the parent in the path. The ids of a page are of that parent already; it is
 * repeated where their rows are read, because a view may compute its ids, and then only the parent has an index.
 */
function ofParent({ endpoint: { by }, params }: Call): Sql {
  return by ? sql`${sql.ref(`r.${by}`)} = ${params.id}` : sql`true`
}

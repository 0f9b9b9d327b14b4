import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { DEFAULT_PAGE_SIZE, LARGEST_PAGE } from '../../contract/limits.ts'
import { answeredCases } from '../answerSearch.ts'
import type { Call } from '../call.ts'
import { matchingClients } from '../clientsByName.ts'
import { columnsOf, keyOf, readFrom } from '../columns.ts'
import type { Row, Sql } from '../db.ts'
import { findMatches, type Matches } from '../matches.ts'
import { fieldProblem, problem } from '../problems.ts'
import { conditionsOf, findingConditionsOf, isSelective, namedClients, requestedIds } from '../query.ts'
import { seesEveryRow } from '../scope.ts'
import { fewFor, isFoundByClients, visibleIds } from '../visibleIds.ts'
import { orderBy, requestedOrder } from './order.ts'
import { COUNTED, idsWhere, keyIn, type PageRequest, pageQuery } from './pageQuery.ts'
import { requireParent } from './parentOf.ts'

/** A query over the ids in `found`, few of which are worth being looked up one by one. */
export type Sum = (areFew: boolean) => Sql

/**
 * A page of the rows this person may see: `{data, pagination}`; counts are exact up to 10,000. Of facts also `totals`,
 * the sums of the fields that the entity marks over all the rows, as the report that leads here has them. A query `sum`
 * over the ids in `found` gives `sum`, null where more are found than lists count.
 */
export async function list(call: Call, entity: Entity, sum?: Sum) {
  await requireParent(call, entity)
  const fixed = fixedConditions(call)
  const conditions = [...fixed, ...conditionsOf(call)]
  const within = await answeredCases(call)
  const summed = Object.keys(entity.properties).filter(
    (name) => entity.facts && entity.properties[name].total,
  )
  // Of all that there is, which is much, a page is not read with the sums.
  const isMuch = seesEveryRow(entity, call.me)
  const page = await pageOf(call, entity, conditions, {
    finding: [...fixed, ...findingConditionsOf(call)],
    named: within || summed.length > 0 ? undefined : await namedOf(call, entity, fixed),
    within,
    sum,
    totals: isMuch ? [] : summed,
  })
  return isMuch && summed.length > 0
    ? { ...page, totals: await totalsOf(call, entity, conditions, summed) }
    : page
}

/** The clients of the name that the call looks for, where rows are found by them. */
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

/** Sums of some fields of all rows of a list, for those who see all. */
async function totalsOf(call: Call, entity: Entity, conditions: Sql[], summed: string[]): Promise<Row> {
  const where = conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``
  const [row] = await rowsOf(
    call,
    sql`select ${sumsOf(summed)} as "#totals" from ${readFrom(entity)} r ${where}`,
  )
  return row['#totals'] as Row
}

/** An object of the sums of some columns of r. */
function sumsOf(names: string[]): Sql {
  const sums = names.flatMap((name) => [
    sql`${name}::text`,
    sql`coalesce(sum(${sql.ref(`r.${name}`)}), 0)::float8`,
  ])
  return sql`json_build_object(${sql.join(sums)})`
}

/**
 * A page of the visible rows, under conditions on the alias r and among those that `within` finds; only the rows of the
 * page are read whole. `finding` says the same as the conditions where rows are found by them.
 */
export async function pageOf(
  call: Call,
  entity: Entity,
  conditions: Sql[],
  { finding = conditions, named, within, sum, totals = [] }: Partial<PageRequest> & { sum?: Sum } = {},
) {
  const { p, size } = requestedPage(call)
  const order = requestedOrder(call, entity)
  const chosen = requestedRows(call, entity)
  const request = {
    conditions: [...conditions, ...chosen],
    finding: [...finding, ...chosen],
    matches:
      named || within || totals.length > 0
        ? undefined
        : await matchesOf(call, entity, [...finding, ...chosen]),
    named: named && { ...named, others: [...named.others, ...chosen] },
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
    sql`, case when (${query.count}) <= ${COUNTED} then (${sum((request.matches ?? named?.clients)?.areFew ?? false)}) end as "#sum"`
  const totalled = totals.length > 0 ? sql`, (select ${sumsOf(totals)} from found r) as "#totals"` : sql``
  const counted = sql`(${query.count}) as "#count" ${summed ?? sql``} ${totalled}`
  const { rows } = await sql<Row>`${query.with} select ${query.hint} ${counted}, ${columnsOf(entity, call.me)}
    from ${readFrom(entity)} r where ${keyIn(entity, query.page)} and ${ofParent(call)}
    order by ${orderBy(entity, order)}`.execute(call.db)
  // Where a later page is empty, or a file too large, no row carries the count.
  const [first] =
    rows[0] || (p === 1 && !call.exporting) ? rows : await rowsOf(call, sql`${query.with} select ${counted}`)
  return {
    data: rows.map(({ '#count': _, '#sum': __, '#totals': ___, ...row }) => row),
    pagination: paginationOf(call, Number(first?.['#count'] ?? 0), p, size),
    ...(sum && { sum: first?.['#sum'] ?? null }),
    ...(totals.length > 0 && { totals: first?.['#totals'] ?? Object.fromEntries(totals.map((n) => [n, 0])) }),
  }
}

/** The rows that meet all conditions, seen or not; undefined without conditions, and where there are many of them. */
async function matchesOf(call: Call, entity: Entity, conditions: Sql[]): Promise<Matches | undefined> {
  if (conditions.length === 0 || !isSelective(call, entity)) return undefined
  if (call.endpoint.by || !visibleIds(entity, call.me)) return undefined
  return findMatches(call, idsWhere(entity, conditions), fewFor(call.me))
}

async function rowsOf({ db }: Call, query: Sql): Promise<Row[]> {
  return (await sql<Row>`${query}`.execute(db)).rows
}

/** Where a page stands among all rows that were found. */
export function paginationOf({ exporting }: Call, found: number, p: number, size: number) {
  const more = found > COUNTED
  if (more && exporting) throw problem('tooMany')
  const count = Math.min(found, COUNTED)
  return { p, page_size: size, count, more, num_pages: Math.max(1, Math.ceil(count / size)) }
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

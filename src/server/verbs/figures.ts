import { sql } from 'kysely'
import { parametersOf } from '../../contract/call.ts'
import type { Entity, Facts, Measure } from '../../contract/generated.ts'
import { NONE } from '../../contract/listFilters.ts'
import type { Call } from '../call.ts'
import { readFrom } from '../columns.ts'
import type { Row, Sql } from '../db.ts'
import { fillGaps } from '../figures/fillGaps.ts'
import { type Group, groupOrder, type Labels, labelsOf } from '../figures/labels.ts'
import { isProtected, monthsOf, protectedScope, protectSmall, SMALL } from '../figures/protect.ts'
import { PLANNED_ANEW } from '../namedStatements.ts'
import { fieldProblem, problem } from '../problems.ts'
import { conditionsOf } from '../query.ts'
import { type Period, periodOf } from '../report.ts'
import { isSeen } from '../visibleIds.ts'
import { requestedOrder } from './order.ts'
import { singlePage } from './singlePage.ts'

/** More groups than this are no report that anybody reads; the refusal in problems.ts names the number. */
const MOST_GROUPS = 2000

interface Request {
  /** The dimensions, one or two. */
  by: string[]
  measures: string[]
  period: Period
}

/**
 * Numbers of the rows that the caller may see: `{data, totals, period}`. The dimensions and measures are those of the
 * entity's facts; a total is counted of all rows, so a person in two groups is one person.
 */
export async function figures(call: Call, entity: Entity) {
  const facts = entity.facts!
  const request = requestOf(call, facts)
  const { groups, total } = await countGroups(call, entity, request)
  const all = fillGaps(call, facts, request, groups)
  const labels = await labelsOf(call, entity, request.by, all)
  const isShown = !isProtected(call)
  const protect = isShown ? (numbers: Row) => numbers : (numbers: Row) => protectSmall(entity, numbers)
  const rows = all
    .toSorted(groupOrder(entity, request.by, labels))
    .map((group, i) => ({ id: i + 1, ...rowOf(group, labels, isShown), ...protect(group.numbers) }))
  const data = sorted(call, rows)
  return {
    data,
    totals: protect(total),
    period: request.period,
    pagination: singlePage(data).pagination,
    ...(call.exporting && { entity: sheetEntity(call, entity, request) }),
  }
}

function requestOf(call: Call, { measures }: Facts): Request {
  const { query, contract, endpoint } = call
  const parameters = parametersOf(contract, endpoint)
  const chosen = (name: 'by' | 'and', value: unknown) => {
    const known = (parameters[name].options ?? []).map((option) => String(option.value))
    if (!known.includes(String(value))) throw fieldProblem({ [name]: [`must be one of ${known.join(', ')}`] })
    return String(value)
  }
  const first = chosen('by', query.by ?? parameters.by.options![0].value)
  const second = query.and === undefined ? [] : [chosen('and', query.and)]
  if (second.includes(first)) throw fieldProblem({ and: ['must be another dimension than the first'] })
  return {
    by: [first, ...second],
    measures: isProtected(call) ? Object.keys(measures) : requestedMeasures(call, Object.keys(measures)),
    period: endpoint.protect ? monthsOf(call) : periodOf(call),
  }
}

/** Those of `measures=a,b` in that order; without it all. */
function requestedMeasures({ query }: Call, known: string[]): string[] {
  if (query.measures === undefined) return known
  const named = [...new Set(String(query.measures).split(','))]
  const unknown = named.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw fieldProblem({ measures: [`must be some of ${known.join(', ')}`] })
  return named
}

async function countGroups(call: Call, entity: Entity, { by, measures, period }: Request) {
  const facts = entity.facts!
  const numbers = measures.map((name) => [name, facts.measures[name]] as const)
  const used = numbers.flatMap(([, { sum, distinct, average, where = {} }]) =>
    [sum, distinct, average, ...Object.keys(where)].filter((field) => field !== undefined),
  )
  const fields = [...new Set([...by, ...used])].map((name) => sql.ref(`r.${name}`))
  const conditions = [
    protectedScope(call, isSeen(entity, call.me, period)),
    sql`${sql.ref(`r.${facts.day}`)} between ${period.start} and ${period.end}`,
    ...conditionsOf(call),
  ]
  const least = isProtected(call) ? SMALL : 0
  const keys = sql.join(by.map((name) => sql.ref(`f.${name}`)))
  const { rows } = await sql<Row>`with facts as (
      select ${sql.join(fields)} from ${readFrom(entity)} r where ${sql.join(conditions, sql` and `)}
    )
    select ${sql.raw(PLANNED_ANEW)} json_build_array(${keys}) as "#values", grouping(${sql.ref(`f.${by[0]}`)}) = 1 as "#total",
      ${sql.join(numbers.map(([name, measure]) => sql`${numberOf(measure, least)} as ${sql.ref(name)}`))}
    from facts f group by grouping sets ((${keys}), ()) order by 2 desc limit ${MOST_GROUPS + 2}`.execute(
    call.db,
  )
  if (rows.length > MOST_GROUPS + 1) throw problem('tooManyLines')
  const [{ '#values': _, '#total': __, ...total }, ...others] = rows
  const groups = others.map(
    ({ '#values': values, '#total': ___, ...found }): Group => ({
      values: values as Group['values'],
      numbers: found,
    }),
  )
  return { groups, total }
}

/** A measure of a group; an average of no more than `least` values is null, for it would tell of one of them. */
function numberOf({ sum, distinct, average, where = {} }: Measure, least: number): Sql {
  const tests = Object.entries(where).map(([name, value]) => sql`${sql.ref(`f.${name}`)} = ${value}`)
  const filter = tests.length > 0 ? sql`filter (where ${sql.join(tests, sql` and `)})` : sql``
  const field = sql.ref(`f.${sum ?? average ?? distinct}`)
  if (sum) return sql`coalesce(sum(${field}) ${filter}, 0)::float8`
  if (average)
    return sql`case when count(${field}) ${filter} > ${least}::int then round(avg(${field}) ${filter})::float8 end`
  return distinct ? sql`(count(distinct ${field}) ${filter})::int` : sql`(count(*) ${filter})::int`
}

/** What a group is of: in words, and, for who may read its rows, as the filters of their list have it. */
function rowOf({ values }: Group, labels: Labels[], isShown: boolean): Row {
  const [by, and] = values.map((value) => String(value ?? NONE))
  return {
    label: labels[0](values[0]),
    ...(and !== undefined && { and_label: labels[1](values[1]) }),
    ...(isShown && { by_value: by, ...(and !== undefined && { and_value: and }) }),
  }
}

/** The rows by the number that the request names; equal ones, and rows without one last, stay in the order of their dimensions. */
function sorted(call: Call, rows: Row[]): Row[] {
  if (call.query.order_by === undefined) return rows
  const [{ name, down }] = requestedOrder(call, call.contract.entities[call.endpoint.reply!])
  const sign = down ? -1 : 1
  if (name === 'label') return down ? rows.toReversed() : rows
  const text = (row: Row) => String(row[name] ?? '')
  return rows.toSorted((a, b) => {
    const [x, y] = [a[name], b[name]]
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    if (typeof x === 'string' || typeof y === 'string')
      return sign * text(a).localeCompare(text(b), 'en', { numeric: true })
    return Number(y !== null && y !== undefined) - Number(x !== null && x !== undefined)
  })
}

/** The columns of the Excel file, headed by what is asked for. */
function sheetEntity({ contract, endpoint }: Call, entity: Entity, { by, measures }: Request): Entity {
  const { properties } = contract.entities[endpoint.reply!]
  const titles = by.map((name) => entity.properties[name].title)
  const keys = ['label', 'and_label']
    .slice(0, by.length)
    .map((name, i) => [name, { ...properties[name], title: titles[i] }])
  const numbers = measures.map((name) => [name, properties[name]])
  return {
    $id: entity.$id,
    title: `${entity.facts!.title} by ${titles.map((title) => title.toLowerCase()).join(' and ')}`,
    type: 'object',
    properties: Object.fromEntries([...keys, ...numbers]),
  }
}

import { sql } from 'kysely'
import { parametersOf } from '../../../contract/call.ts'
import { compareLabels } from '../../../contract/compareKey.ts'
import type { Entity, Facts, Measure } from '../../../contract/generated.ts'
import { NONE } from '../../../contract/listFilters.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { NO_PREPARE } from '../../core/namedStatements.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { singlePage } from '../../core/singlePage.ts'
import type { Period } from '../../core/today.ts'
import { fillGaps, listsEveryGroup } from '../figures/fillGaps.ts'
import { type Group, groupOrder, type Labels, labelsOf } from '../figures/labels.ts'
import {
  isOfFew,
  isProtected,
  monthsOf,
  protectedScope,
  protectSmall,
  protectTotal,
  SMALL,
} from '../figures/protect.ts'
import { periodOf } from '../figures/report.ts'
import { computedColumn, readFrom } from '../query/columns.ts'
import { requestedOrder } from '../query/order.ts'
import { conditionsOf } from '../query/query.ts'

/** Maximum number of groups in a report; the message of `tooManyLines` in problems.ts has the number too. */
const MAX_GROUPS = 2000

/**
 * Label of one row that replaces all protected groups of few: with their names, a small total over several of them
 * would reveal that each is of one.
 */
const UNNAMED = `Groups of ${SMALL} or fewer`

interface Request {
  /** The dimensions, one or two. */
  by: string[]
  measures: string[]
  period: Period
}

/**
 * Measures of the visible rows, grouped by one or two dimensions: `{data, totals, period}`. Dimensions and measures are
 * those of the entity's facts. A total is computed over all rows, so a person in two groups is counted once.
 */
export async function figures(call: Call, entity: Entity) {
  const facts = entity.facts!
  const request = requestOf(call, facts)
  const { groups, total } = await countGroups(call, entity, request)
  const showsRows = !isProtected(call)
  const isNamed = ({ numbers }: Group) =>
    showsRows || listsEveryGroup(call, facts, request.by) || !isOfFew(entity, numbers)
  const named = groups.filter(isNamed)
  const all = fillGaps(call, facts, request, named)
  const labels = await labelsOf(call, entity, request.by, all)
  const protect = (numbers: Row) => (showsRows ? numbers : protectSmall(entity, numbers))
  const rows = all
    .toSorted(groupOrder(entity, request.by, labels))
    .map((group, i) => ({ id: i + 1, ...rowOf(group, labels, showsRows), ...protect(group.numbers) }))
  const unnamed = named.length < groups.length ? [{ id: rows.length + 1, label: UNNAMED }] : []
  const data = [...sorted(call, rows), ...unnamed]
  return {
    data,
    totals: showsRows ? total : protectTotal(entity, total, groups),
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

/** The measures of `measures=a,b` in that order; by default all. */
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
  const fields = [...new Set([...by, ...used])].map((name) =>
    entity.properties[name].computed ? computedColumn(entity, call.me, name) : sql.ref(`r.${name}`),
  )
  const conditions = [
    protectedScope(call, scoped(entity, call.me)),
    sql`${sql.ref(`r.${facts.day}`)} between ${period.start} and ${period.end}`,
    ...conditionsOf(call),
  ]
  const threshold = isProtected(call) ? SMALL : 0
  const keys = sql.join(by.map((name) => sql.ref(`f.${name}`)))
  const { rows } = await sql<Row>`with facts as (
      select ${sql.join(fields)} from ${readFrom(entity)} r where ${sql.join(conditions, sql` and `)}
    )
    select ${sql.raw(NO_PREPARE)} json_build_array(${keys}) as "#values", grouping(${sql.ref(`f.${by[0]}`)}) = 1 as "#total",
      ${sql.join(numbers.map(([name, measure]) => sql`${numberOf(measure, threshold)} as ${sql.ref(name)}`))}
    from facts f group by grouping sets ((${keys}), ()) order by 2 desc limit ${MAX_GROUPS + 2}`.execute(
    call.db,
  )
  if (rows.length > MAX_GROUPS + 1) throw problem('tooManyLines')
  const [{ '#values': _, '#total': __, ...total }, ...others] = rows
  const groups = others.map(
    ({ '#values': values, '#total': ___, ...found }): Group => ({
      values: values as Group['values'],
      numbers: found,
    }),
  )
  return { groups, total }
}

/**
 * SQL of a measure. An average of at most `threshold` values is null, because it could reveal one of them; so is a
 * share if at most so many rows count in it, or do not count.
 */
function numberOf({ sum, distinct, average, share, where = {} }: Measure, threshold: number): Sql {
  const tests = Object.entries(where).map(([name, value]) => sql`${sql.ref(`f.${name}`)} = ${value}`)
  const filter = tests.length > 0 ? sql`filter (where ${sql.join(tests, sql` and `)})` : sql``
  const field = sql.ref(`f.${sum ?? average ?? distinct}`)
  if (sum) return sql`coalesce(sum(${field}) ${filter}, 0)::float8`
  const countOf = (value: number) =>
    sql`count(*) filter (where ${sql.join([...tests, sql`${field} = ${sql.lit(value)}`], sql` and `)})`
  const enough =
    share && threshold > 0 ? sql`least(${countOf(0)}, ${countOf(100)})` : sql`count(${field}) ${filter}`
  if (average)
    return sql`case when ${enough} > ${threshold}::int then round(avg(${field}) ${filter})::float8 end`
  return distinct ? sql`(count(distinct ${field}) ${filter})::int` : sql`(count(*) ${filter})::int`
}

/** Labels of a group and, if the caller may list its rows, its values as filters of that list. */
function rowOf({ values }: Group, labels: Labels[], showsRows: boolean): Row {
  const [by, and] = values.map((value) => String(value ?? NONE))
  return {
    label: labels[0](values[0]),
    ...(and !== undefined && { and_label: labels[1](values[1]) }),
    ...(showsRows && { by_value: by, ...(and !== undefined && { and_value: and }) }),
  }
}

/**
 * Sorts by the requested column; equal rows, and rows without a value, which come last, keep the order of their
 * dimensions.
 */
function sorted(call: Call, rows: Row[]): Row[] {
  if (call.query.order_by === undefined) return rows
  const [{ name, isDescending }] = requestedOrder(call, call.contract.entities[call.endpoint.reply!])
  const sign = isDescending ? -1 : 1
  if (name === 'label') return isDescending ? rows.toReversed() : rows
  const text = (row: Row) => String(row[name] ?? '')
  return rows.toSorted((a, b) => {
    const [x, y] = [a[name], b[name]]
    if (typeof x === 'number' && typeof y === 'number') return sign * (x - y)
    if (typeof x === 'string' || typeof y === 'string') return sign * compareLabels(text(a), text(b))
    return Number(y !== null && y !== undefined) - Number(x !== null && x !== undefined)
  })
}

/** Entity of the Excel file, with the requested dimensions and measures as columns. */
function sheetEntity({ contract, endpoint }: Call, entity: Entity, { by, measures }: Request): Entity {
  const { properties } = contract.entities[endpoint.reply!]
  const titles = by.map((name) => entity.properties[name].title)
  const keys = ['label', 'and_label'].slice(0, by.length).map((name, i) => {
    const isMonth = entity.facts!.dimensions[by[i]].each === 'month'
    return [name, { ...properties[name], title: titles[i], ...(isMonth && { fieldType: 'month' as const }) }]
  })
  const numbers = measures.map((name) => [name, properties[name]])
  return {
    $id: entity.$id,
    title: `${entity.facts!.title} by ${titles.map((title) => title.toLowerCase()).join(' and ')}`,
    type: 'object',
    properties: Object.fromEntries([...keys, ...numbers]),
  }
}

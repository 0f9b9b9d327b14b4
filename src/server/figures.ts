import { sql } from 'kysely'
import { ROLE } from '../contract/roles.ts'
import { STATUS } from '../contract/status.ts'
import type { Call } from './call.ts'
import type { Row, Sql } from './db.ts'
import { fieldProblem } from './problems.ts'
import type { Period } from './report.ts'
import { visibleTo } from './scope.ts'
import { today } from './today.ts'
import { singlePage } from './verbs/singlePage.ts'

/** Counts up to this many could tell who it is about. */
const SMALL = 5
const SECONDS_AN_HOUR = 3600
const UNKNOWN = 'Not said'

/** By what the issues of a figure are grouped: SQL of the value, and the lookup that names it where it is not its own name. */
const DIMENSIONS: Record<string, { of: Sql; lookup?: string }> = {
  month: { of: sql`to_char(i.start_date, 'YYYY-MM')` },
  service: { of: sql`i.service`, lookup: 'services' },
  issue_type: { of: sql`i.issue_type`, lookup: 'issue_types' },
  contract: { of: sql`i.contract`, lookup: 'contracts' },
  council_area: { of: sql`k.council_area`, lookup: 'council_area' },
  gender: { of: sql`c.gender`, lookup: 'gender' },
  ethnicity: { of: sql`c.ethnicity`, lookup: 'ethnicity' },
  age: {
    of: sql`(select v.label from (values (0, 17, 'Under 18'), (18, 24, '18 to 24'), (25, 44, '25 to 44'), (45, 64, '45 to 64'),
      (65, 84, '65 to 84'), (85, 200, '85 and over')) v(youngest, oldest, label)
      where extract(year from age(i.start_date, c.dob)) between v.youngest and v.oldest)`,
  },
}

/** The periods on offer: whole calendar months that are over in this month, counted from 0. */
const PERIODS: Record<string, (year: number, month: number) => { start: string; end: string }> = {
  last12: (year, month) => ({ start: firstDay(year, month - 12), end: lastDay(year, month - 1) }),
  quarter: (year, month) => {
    const first = month - (month % 3) - 3
    return { start: firstDay(year, first), end: lastDay(year, first + 2) }
  },
  year: (year) => ({ start: firstDay(year - 1, 0), end: lastDay(year - 1, 11) }),
  financialYear: (year, month) => {
    const began = month >= 3 ? year - 1 : year - 2
    return { start: firstDay(began, 3), end: lastDay(began + 1, 2) }
  },
}

/** What is known of a group of issues; text stands where a number is protected, null where even that would tell. */
interface Figures {
  label: string
  issues: number | string
  people: number | string
  time: number | null
  closed: number | string
  outcomes: number | string | null
  days: number | null
}
type Counted = { [Name in keyof Omit<Figures, 'label'>]: number } & { key: string | null; isTotal: boolean }

/**
 * Issues that began in whole calendar months, counted by one dimension: `{data, totals, period}`. Commissioners get those
 * of their contracts with small numbers protected: counts from 1 to 5 are said as such, others are rounded to 5, and
 * totals are rounded from the true total, so that no difference of two figures tells of one person.
 */
export async function figuresOf(call: Call) {
  const by = String(call.query.by ?? 'month')
  const dimension = Object.hasOwn(DIMENSIONS, by) ? DIMENSIONS[by] : undefined
  if (!dimension) throw fieldProblem({ by: [`must be one of ${Object.keys(DIMENSIONS).join(', ')}`] })
  const period = monthsOf(call)
  const counted = await count(call, dimension, period)
  const protect = isProtected(call) ? protectSmall : (figures: Figures) => figures
  const rows = counted.filter(({ isTotal }) => !isTotal).map(figuresFrom)
  const all = by === 'month' ? withEveryMonth(rows, period) : rows
  const { label: _, ...totals } = protect(figuresFrom(counted.find(({ isTotal }) => isTotal)!))
  const data = all.map((figures, i) => ({ id: i + 1, ...protect(figures) }))
  return {
    data,
    totals,
    period,
    pagination: singlePage(data).pagination,
  }
}

function monthsOf({ query, settings }: Call): Period {
  const name = String(query.period ?? 'last12')
  if (!Object.hasOwn(PERIODS, name))
    throw fieldProblem({ period: [`must be one of ${Object.keys(PERIODS).join(', ')}`] })
  const [year, month] = today(settings.TIME_ZONE).split('-').map(Number)
  return PERIODS[name](year, month - 1)
}

/** The first day of a month, which may lie before January or after December of the year. */
function firstDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

function lastDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10)
}

async function count(
  call: Call,
  { of, lookup }: (typeof DIMENSIONS)[string],
  { start, end }: Period,
): Promise<Counted[]> {
  const label = lookup
    ? sql`(select l.label from lookup l where l.kind = ${lookup} and l.value = f.value::int)`
    : sql`f.value`
  const { rows } = await sql<Row>`with facts as (
      select ${of} as value, i.client, i.is_opened, jsonb_array_length(i.actual_outcomes) as outcomes,
        w.time_taken, w.first_on - i.start_date as days
      from issues i join cases k on k.id = i."case" join clients c on c.id = i.client
      left join lateral (select sum(a.time_taken) as time_taken, min(a.done_on) filter (where a.done_on >= i.start_date) as first_on
        from actions a where a.issue = i.id) w on true
      where i.status = ${sql.lit(STATUS.active)} and i.start_date between ${start} and ${end}
        and ${scopeOf(call)} and ${sql.join(filtersOf(call), sql` and `)}
    ), found as (
      select value, grouping(value) = 1 as "isTotal", count(*)::int as issues, count(distinct client)::int as people,
        coalesce(sum(time_taken), 0)::int as time, count(*) filter (where not is_opened)::int as closed,
        coalesce(sum(outcomes), 0)::int as outcomes, round(avg(days))::int as days
      from facts group by grouping sets ((value), ())
    )
    select ${label} as key, "isTotal", issues, people, time, closed, outcomes, days from found f order by f."isTotal", key nulls last`.execute(
    call.db,
  )
  return rows as unknown as Counted[]
}

/** Commissioners count all issues of their contracts, also where they may read none of them. */
function scopeOf({ me }: Call): Sql {
  const visible = visibleTo('issue', me, 'i')
  return isCommissioner(me.groups) ? sql`(${visible} or i.contract = any(${me.contracts}::int[]))` : visible
}

function filtersOf({ query }: Call): Sql[] {
  const { service, commissioning_contract: contract } = query
  return [
    sql`true`,
    ...(service === undefined ? [] : [sql`i.service = any(${[service].flat()}::int[])`]),
    ...(contract === undefined ? [] : [sql`i.contract = any(${[contract].flat()}::int[])`]),
  ]
}

function isCommissioner(groups: number[]): boolean {
  return groups.includes(ROLE.commissionerAdvocate)
}

function isProtected({ me }: Call): boolean {
  return isCommissioner(me.groups) && !me.readsContracts
}

function figuresFrom({ key, isTotal: _, ...counts }: Counted): Figures {
  return { label: key ?? UNKNOWN, ...counts }
}

/** A month in which nothing began is told too. */
function withEveryMonth(rows: Figures[], { start, end }: Period): Figures[] {
  const found = new Map(rows.map((row) => [row.label, row]))
  const [year, month] = start.split('-').map(Number)
  const months: string[] = []
  for (let i = 0; ; i++) {
    const first = firstDay(year, month - 1 + i)
    if (first > end) break
    months.push(first.slice(0, 7))
  }
  return months.map(
    (label) =>
      found.get(label) ?? { label, issues: 0, people: 0, time: 0, closed: 0, outcomes: 0, days: null },
  )
}

function protectSmall(figures: Figures): Figures {
  const isFew = [figures.issues, figures.people].some((n) => isSmall(Number(n)))
  return {
    ...figures,
    issues: protectCount(Number(figures.issues)),
    people: protectCount(Number(figures.people)),
    closed: protectCount(Number(figures.closed)),
    outcomes: isFew ? null : protectCount(Number(figures.outcomes)),
    time: isFew ? null : rounded(Number(figures.time), SMALL * SECONDS_AN_HOUR),
    days: isFew ? null : figures.days,
  }
}

function protectCount(n: number): number | string {
  return isSmall(n) ? `${SMALL} or fewer` : rounded(n, SMALL)
}

function isSmall(n: number): boolean {
  return n > 0 && n <= SMALL
}

function rounded(n: number, to: number): number {
  return Math.round(n / to) * to
}

import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import type { Facts, Measure } from '../../src/contract/generated.ts'
import { FULL } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

type Row = Record<string, string | number | null>
interface Report {
  data: Row[]
  totals: Row
}
interface Query {
  by: string
  and?: string
  measures: string
  [filter: string]: string | number | undefined
}
interface Source {
  figures: string
  rows: string
  entity: string
  path: string
  /** Filters of which some are set. */
  filters: Record<string, (number | string)[]>
}

const SECONDS_A_DAY = 86_400
const ROLES = ['admin', 'manager', 'hubmanager', 'partnermanager']
const REPORTS = 12
const PERIOD = { start: '2025-11-10', end: '2026-03-20' }
const SOURCES: Source[] = [
  {
    figures: 'reports.issues',
    rows: 'reports.issueRows',
    entity: 'issueFact',
    path: '/api/reports/issues',
    filters: {
      service: [1, 2],
      contract: [1, 'none'],
      gender: [1, 'none'],
      age: ['25 to 44', 'none'],
      state: ['open'],
    },
  },
  {
    figures: 'reports.work',
    rows: 'reports.workRows',
    entity: 'workFact',
    path: '/api/reports/work',
    filters: { service: [1, 'none'], kind: ['action'], activity_type: [1, 'none'] },
  },
  {
    figures: 'reports.deadlines',
    rows: 'reports.deadlineRows',
    entity: 'deadlineFact',
    path: '/api/reports/deadlines',
    filters: { service: [1, 2], contract: [1], outcome: ['late', 'in_time'] },
  },
]

const context = describeServer()
const callers: Record<string, Caller> = {}
let seed = 7
/** Pseudo-random numbers below n, the same at every run. */
function below(n: number): number {
  seed = (seed * 1103515245 + 12345) % 2147483648
  return Math.floor((seed / 2147483648) * n)
}
const pick = <T>(list: T[]): T => list[below(list.length)]

beforeAll(async () => {
  const { db } = context
  for (const name of ROLES) callers[name] = await context.as(name)
  for (let i = 0; i < 24; i++) await createCase(callers.admin)
  await sql`select setseed(0.42)`.execute(db)
  // Everything that is counted or counted by, with gaps; the last ones are of one client.
  await sql`update clients set gender = nullif(floor(random() * 4)::int, 0), ethnicity = nullif(floor(random() * 3)::int, 0),
    dob = case when random() < 0.8 then date '1930-01-01' + floor(random() * 32000)::int end`.execute(db)
  await sql`update cases set council_area = nullif(floor(random() * 3)::int, 0)`.execute(db)
  await sql`update issues set start_date = date '2025-11-01' + floor(random() * 150)::int, service = 1 + floor(random() * 2)::int,
    contract = 1 + floor(random() * 3)::int, hub = nullif(floor(random() * 3)::int, 0), issue_type = 1 + floor(random() * 3)::int,
    advocate = (array[(select id from staff where username = 'advocate'), (select id from staff where username = 'partner'),
      (select id from staff where username = 'stranger'), null])[1 + floor(random() * 4)::int],
    is_opened = random() < 0.6, actual_outcomes = case when random() < 0.5 then '[]' else '[{}, {}]'::jsonb end,
    status = case when random() < 0.1 then 2 else 1 end`.execute(db)
  await sql`update issues set "case" = (select min("case") from issues), client = (select client from issues order by id limit 1)
    where id > (select max(id) - 5 from issues)`.execute(db)
  await sql`insert into actions (issue, client, "case", type, done_on, time_taken, created_by)
    select i.id, i.client, i."case", 1 + floor(random() * 2)::int, date '2025-10-20' + floor(random() * 160)::int, floor(random() * 300)::int * 60, s.id
    from issues i, staff s where random() < 0.4`.execute(db)
  await sql`insert into activities (type, service, commissioning_contract, done_on, time_taken, created_by)
    select 1 + floor(random() * 2)::int, nullif(floor(random() * 3)::int, 0), ceil(random() * 2)::int,
      date '2025-11-01' + floor(random() * 150)::int, floor(random() * 300)::int * 60, s.id
    from staff s, generate_series(1, 6)`.execute(db)
})

async function reply(caller: Caller, name: string, query: Record<string, unknown>) {
  const { status, body } = await caller(name, { query })
  expect([name, query, status, status === 200 ? '' : body]).toEqual([name, query, 200, ''])
  return body
}

/** What a measure is of these rows of a list. */
function numberOf({ sum, distinct, average, where = {} }: Measure, rows: Row[]): number | null {
  const found = rows.filter((row) => Object.entries(where).every(([name, value]) => row[name] === value))
  const values = found.map((row) => row[sum ?? distinct ?? average ?? 'id']).filter((value) => value !== null)
  const total = values.reduce<number>((all, value) => all + Number(value), 0)
  if (sum) return total
  if (average) return values.length === 0 ? null : Math.round(total / values.length)
  return distinct ? new Set(values).size : found.length
}

/** What somebody might ask: one or two dimensions, some measures, some filters. */
function anyQuery({ dimensions, measures }: Facts, filters: Source['filters']): Query {
  const names = Object.keys(dimensions)
  const by = pick(names)
  const and = below(2) === 0 ? undefined : pick(names.filter((name) => name !== by))
  const chosen = Object.keys(measures).filter(() => below(2) === 0)
  const set = Object.entries(filters).flatMap(([name, values]) =>
    below(5) === 0 ? [[name, pick(values)]] : [],
  )
  return {
    by,
    ...(and && { and }),
    measures: (chosen.length > 0 ? chosen : Object.keys(measures)).join(),
    ...(below(5) > 0 ? PERIOD : { start: '2026-01-01', end: '2026-01-31' }),
    ...Object.fromEntries(set),
  }
}

describe.each(SOURCES)('$figures', ({ figures, rows, entity, path, filters }) => {
  // A person may export so many files a minute.
  beforeEach(() => sql`delete from call_count`.execute(context.db))

  it.each(ROLES)('leads %s from every number to rows that make it', async (who) => {
    const facts = context.contract.entities[entity].facts!
    let numbers = 0
    for (let i = 0; i < REPORTS; i++) {
      const query = anyQuery(facts, filters)
      const { by, and, measures, ...others } = query
      const report: Report = await reply(callers[who], figures, query)
      const below: Row[] = (await reply(callers[who], rows, { ...others, page_size: 2000 })).data
      for (const name of measures.split(','))
        expect([who, query, name, report.totals[name]]).toEqual([
          who,
          query,
          name,
          numberOf(facts.measures[name], below),
        ])
      for (const row of report.data) {
        // A filter by the same dimension is that of the line.
        const line = {
          ...others,
          [by]: row.by_value,
          ...(and && { [and]: row.and_value }),
          page_size: 2000,
        }
        const { data, pagination, totals } = await reply(callers[who], rows, line)
        expect(pagination.count).toBe(data.length)
        // The list says below its rows what the number was.
        for (const [name, { sum, where }] of Object.entries(facts.measures))
          if (sum && !where && row[name] !== undefined) expect([name, totals[sum]]).toEqual([name, row[name]])
        for (const name of measures.split(',')) {
          numbers++
          expect([who, query, row.label, name, row[name]]).toEqual([
            who,
            query,
            row.label,
            name,
            numberOf(facts.measures[name], data),
          ])
        }
      }
    }
    expect(numbers).toBeGreaterThan(40)
  })

  it('has the same numbers in the Excel file', async () => {
    const facts = context.contract.entities[entity].facts!
    for (let i = 0; i < (FULL ? 5 : 2); i++) {
      const query = anyQuery(facts, filters)
      const report: Report = await reply(callers.manager, figures, query)
      const search = new URLSearchParams({ ...query, format: 'xlsx' } as Record<string, string>)
      const file = await fetch(`${context.address}${path}?${search}`, { headers: callers.manager.headers })
      const book = xlsx.read(Buffer.from(await file.arrayBuffer()))
      const [head, ...lines] = xlsx.utils.sheet_to_json<unknown[]>(book.Sheets.data, {
        header: 1,
        defval: null,
        blankrows: false,
      })
      const { properties } = context.contract.entities[entity]
      const titles = [query.by, query.and].flatMap((name) => (name ? [properties[name].title] : []))
      expect(head).toEqual([
        ...titles,
        ...query.measures.split(',').map((name) => facts.measures[name].title),
      ])
      // A month is a date: the day of its first, as Excel counts.
      const keyOf = (by: string, label: unknown) =>
        facts.dimensions[by].each === 'month' && /^\d{4}-\d\d$/.test(String(label))
          ? (Date.parse(`${label}-01`) - Date.UTC(1899, 11, 30)) / 86_400_000
          : label
      const line = (row: Row, keys: unknown[]) => [
        ...keys,
        ...query.measures.split(',').map((name) => {
          const { sum, average } = facts.measures[name]
          const isTime = properties[sum ?? average ?? 'id'].fieldType === 'duration'
          return row[name] === null ? '' : isTime ? Number(row[name]) / SECONDS_A_DAY : row[name]
        }),
      ]
      const expected = report.data.map((row) =>
        line(
          row,
          query.and
            ? [keyOf(query.by, row.label), keyOf(query.and, row.and_label)]
            : [keyOf(query.by, row.label)],
        ),
      )
      expect(lines.slice(0, -1)).toEqual(expected)
      expect(lines.at(-1)).toEqual(line(report.totals, query.and ? ['Total', ''] : ['Total']))
      expect(book.Props).toMatchObject({ Subject: expect.stringContaining(`By: ${titles[0]}`) })
      expect(book.Props!.Title).toContain(` by ${titles[0].toLowerCase()}`)
    }
  })

  it('says in the Excel file what it was narrowed by, also by none', async () => {
    const search = new URLSearchParams('by=month&service=1&service=none&format=xlsx')
    const file = await fetch(`${context.address}${path}?${search}`, { headers: callers.admin.headers })
    const book = xlsx.read(Buffer.from(await file.arrayBuffer()))
    expect(book.Props?.Subject).toMatch(/Service: [A-Z][^;]+, Not said/)
  })

  it.each([
    [{ by: 'name' }, 'by'],
    [{ by: '__proto__' }, 'by'],
    [{ by: 'month', and: 'month' }, 'and'],
    [{ measures: 'time,password' }, 'measures'],
    [{ service: 'x' }, 'service'],
    [{ order_by: 'created_by' }, 'order_by'],
    [{ start: '2020-01-01' }, 'end'],
  ])('refuses %o by name', async (query, name) => {
    const { status, body } = await callers.admin(figures, { query })
    expect([status, Object.keys(body)]).toEqual([400, [name]])
  })

  it.each(['advocate', 'hub', 'volunteer', 'partner', 'commissioner'])('is not for %s', async (who) => {
    const caller = await context.as(who)
    expect([(await caller(figures)).status, (await caller(rows)).status]).toEqual([403, 403])
  })
})

describe('reports', () => {
  it.each(ROLES)(
    'count for %s the rows that they may open and their own hours, and no other',
    async (who) => {
      const all = async (name: string, caller: Caller): Promise<Row[]> =>
        (await reply(caller, name, { ...PERIOD, page_size: 2000 })).data
      const read = (kind: string, id: number) => callers[who](`${kind}.read`, { params: { id } })
      const issues = new Set((await all('reports.issueRows', callers[who])).map(({ id }) => id))
      for (const { id } of await all('reports.issueRows', callers.admin))
        expect([who, id, issues.has(id)]).toEqual([
          who,
          id,
          (await read('issues', Number(id))).status === 200,
        ])
      const work = new Set((await all('reports.workRows', callers[who])).map(({ id }) => id))
      for (const { id, kind, staff } of await all('reports.workRows', callers.admin)) {
        const opened = await read(kind === 'action' ? 'actions' : 'activities', Math.abs(Number(id)))
        const isCounted = opened.status === 200 || staff === callers[who].id
        expect([who, kind, id, work.has(id)]).toEqual([who, kind, id, isCounted])
      }
      expect(issues.size > 0 && work.size > 0).toBe(true)
      const { rows } = await sql<{ id: number }>`select id from issues where status = 2`.execute(context.db)
      expect(rows.length).toBeGreaterThan(0)
      expect(rows.filter(({ id }) => issues.has(id))).toEqual([])
    },
  )

  it('have a line for each part of the period, also without rows', async () => {
    const labels = async (by: string, more = {}) => {
      const query = { by, start: '2024-11-15', end: '2025-05-01', ...more }
      const { data }: Report = await reply(callers.admin, 'reports.issues', query)
      return data.map(({ label }) => label)
    }
    expect(await labels('month')).toEqual([
      '2024-11',
      '2024-12',
      '2025-01',
      '2025-02',
      '2025-03',
      '2025-04',
      '2025-05',
    ])
    expect(await labels('quarter')).toEqual(['2024 Q4', '2025 Q1', '2025 Q2'])
    expect(await labels('year')).toEqual(['2024', '2025'])
    expect(await labels('month', { and: 'service' })).toEqual([])
    expect(await labels('month', { month: '2025-01' })).toEqual([])
  })

  it('of more lines than anybody reads are refused, with what to do', async () => {
    const { db } = context
    await sql`insert into activities (type, commissioning_contract, done_on, time_taken, created_by)
      select t, 1, date '2024-01-01' + (m * interval '1 month')::interval, 60, ${callers.admin.id}
      from generate_series(1000, 1100) t, generate_series(0, 20) m`.execute(db)
    const query = { by: 'activity_type', and: 'month', start: '2024-01-01', end: '2025-09-30' }
    const { status, body } = await callers.admin('reports.work', { query })
    expect([status, body.code]).toEqual([413, 'tooManyLines'])
    const { data }: Report = await reply(callers.admin, 'reports.work', { ...query, end: '2024-12-31' })
    expect(data).toHaveLength(101 * 12)
    await sql`delete from activities where type >= 1000`.execute(db)
  })

  it('are ordered by any of their columns, what has no number last', async () => {
    const order = async (order_by: string) => {
      const query = {
        by: 'advocate',
        ...PERIOD,
        order_by: order_by.replace('-', ''),
        sort_order: order_by.startsWith('-') ? 'desc' : 'asc',
      }
      const { data }: Report = await reply(callers.admin, 'reports.issues', query)
      return data
    }
    const plain = await order('label')
    expect(plain.at(-1)?.label).toBe('Not said')
    expect(await order('-label')).toEqual(plain.toReversed())
    const times = (await order('-time')).map(({ time }) => Number(time))
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const days = (await order('days')).map(({ days: one }) => one)
    expect(days.slice(days.indexOf(null)).every((one) => one === null) || !days.includes(null)).toBe(true)
  })

  it('are saved and shared with the team like any list, but not where they are of one person', async () => {
    const query = {
      by: 'service',
      and: 'month',
      start: '-90d',
      end: 'today',
      measures: 'issues,time',
      sort: '-time',
    }
    const save = (name: string, more: object, who = 'manager') =>
      callers[who]('savedViews.create', {
        body: { screen: 'compose-issues', name, query: { ...query, ...more }, shared: 'team' },
      })
    const saved = await save('Of the team', {})
    expect([saved.status, saved.body.query]).toEqual([201, query])
    const { id } = await context.as('advocate')
    const personal = await save('Of one', { advocate: String(id) })
    expect([personal.status, Object.keys(personal.body)]).toEqual([400, ['shared']])
    expect((await save('Mine', { advocate: 'me' })).status).toBe(201)
    for (const wrong of [{ by: 'name' }, { measures: 'issues,x' }, { gender: '1' }, { sort: 'gender' }]) {
      const { status, body } = await save('Wrong', wrong)
      expect([wrong, status, Object.keys(body)]).toEqual([wrong, 400, ['query']])
    }
    // A report that the person may not open is no list of theirs.
    const advocate = await context.as('advocate')
    const { status } = await advocate('savedViews.create', {
      body: { screen: 'compose-issues', name: 'x', query },
    })
    expect(status).toBe(400)
    expect((await advocate('savedViews.list', { query: { screen: 'compose-issues' } })).body.data).toEqual([])
  })

  it('that are protected lead nowhere and take no filter but their own', async () => {
    const commissioner = await context.as('commissioner')
    const { data }: Report = await reply(commissioner, 'reports.figures', { by: 'service', period: 'last12' })
    expect(data.length).toBeGreaterThan(0)
    for (const row of data) expect(Object.keys(row)).not.toContain('by_value')
    for (const query of [
      { and: 'month' },
      { gender: 1 },
      { start: '2026-01-01' },
      { measures: 'issues' },
      { advocate: 1 },
    ])
      expect([query, (await commissioner('reports.figures', { query })).status]).toEqual([query, 400])
    for (const by of ['advocate', 'hub', 'state', 'case_type'])
      expect([by, (await commissioner('reports.figures', { query: { by } })).status]).toEqual([by, 400])
  })
})

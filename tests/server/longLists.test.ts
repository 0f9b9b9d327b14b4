import { sql } from 'kysely'
import { beforeAll, describe, expect } from 'vitest'
import { itInFull } from '../full.ts'
import { type Caller, describeServer } from './context.ts'

/** More than lists count, so that every way to find the ids of a page is taken by somebody. */
const MANY = 10_500
const COUNTED = 10_000
const MINUTE = 60
/** So many issues somebody sees that their clients are not computed to find a name among them. */
const MUCH = 20_000
const ROLES = ['admin', 'hub', 'hubmanager', 'manager', 'advocate'] as const

/** A client with one case, one issue and one action of a minute. */
interface Made {
  id: number
  first_name: string
  last_name: string
  hub: number
  advocate: number
  priority: boolean
  decided: boolean
}

const context = describeServer()
const callers = new Map<string, Caller>()
let records: Made[]
/** Whose issues each of them sees. */
let sees: { [role: string]: (record: Made) => boolean }

beforeAll(async () => {
  // A statement here may take longer than those of calls.
  const db = context.pools.slow
  for (const role of [...ROLES, 'stranger']) callers.set(role, await context.as(role))
  for (const name of ['search.cases', 'search.clients', 'search.actions'])
    delete context.contract.endpoints[name].perMinute
  const idOf = (role: string) => callers.get(role)!.id
  const { rows: staff } = await sql<{ id: number; hub: number | null; line_manager: number | null }>`
    select id, hub, line_manager from staff`.execute(db)
  const hub = staff.find(({ id }) => id === idOf('hub'))!.hub!
  await sql`update staff set hub = ${hub + 1} where id = ${idOf('hubmanager')}`.execute(db)
  const team = staff.filter((one) => one.line_manager === idOf('manager')).map(({ id }) => id)
  records = Array.from({ length: MANY }, (_, i) => ({
    id: 100_000 + i,
    first_name: `C${String((i * 7919) % MANY).padStart(5, '0')}`,
    last_name: i % 50 === 0 ? 'Quill' : i % 5 < 4 ? 'Palmer' : 'Reed',
    hub: i % 8 === 0 ? hub + 1 : hub,
    advocate: idOf(i % 10 === 0 ? 'stranger' : 'advocate'),
    priority: i % 5 === 0,
    decided: i % 2 === 0,
  }))
  sees = {
    admin: () => true,
    hub: (one) => one.hub === hub,
    hubmanager: (one) => one.hub === hub + 1,
    manager: (one) => team.includes(one.advocate),
    advocate: (one) => one.advocate === idOf('advocate'),
  }
  const json = JSON.stringify(records)
  const all = sql`jsonb_to_recordset(${json}::jsonb)
    as r(id int, first_name text, last_name text, hub int, advocate int, priority bool, decided bool)`
  await sql`insert into clients (id, first_name, last_name) select id, first_name, last_name from ${all}`.execute(
    db,
  )
  await sql`insert into cases (id, client, service, case_type, case_type_version, contract, answers)
    select r.id, r.id, t.service, t.id, t.version, 1,
      case when r.priority then '{"priority": "priority_1_2_working_days"}'::jsonb else '{}' end
    from ${all}, case_types t where t.id = 1`.execute(db)
  await sql`insert into issues (id, client, "case", service, contract, hub, advocate, case_type_version, issue_type, start_date, answers)
    select r.id, r.id, r.id, t.service, 1, r.hub, r.advocate, t.version, 1, '2026-01-01',
      case when r.decided then '{"decision_date": "2026-03-01"}'::jsonb else '{}' end
    from ${all}, case_types t where t.id = 1`.execute(db)
  await sql`insert into actions (issue, client, "case", type, done_on, time_taken, created_by)
    select r.id, r.id, r.id, 1, '2026-02-01', ${MINUTE}, ${idOf('stranger')} from ${all}`.execute(db)
  // Of each Quill also one on the case itself, and of the first, whom not everybody sees, one that each has made.
  await sql`insert into actions ("case", type, done_on, created_by)
    select r.id, 1, '2026-02-02', ${idOf('stranger')} from ${all} where r.last_name = 'Quill'`.execute(db)
  await sql`insert into actions (issue, type, done_on, created_by)
    select ${records[0].id}, 1, '2026-02-03', id from staff where id = any(${ROLES.map(idOf)})`.execute(db)
  await db.transaction().execute(async (tx) => {
    // What triggers store of issues is not looked at.
    await sql`alter table issues disable trigger user`.execute(tx)
    await sql`insert into issues (client, "case", service, contract, hub, case_type_version, issue_type, start_date, advocate)
      select client, "case", service, contract, hub, case_type_version, issue_type, start_date, advocate
      from issues, generate_series(1, ${MUCH}::int) where id = ${records[0].id}`.execute(tx)
    await sql`alter table issues enable trigger user`.execute(tx)
  })
  await sql`analyze`.execute(db)
})

const FILTERS: [string, object, (record: Made) => boolean][] = [
  ['nearly all by name', { client: 'C' }, () => true],
  ['most by name', { client: 'palmer' }, ({ last_name }) => last_name === 'Palmer'],
  ['few by name', { client: 'Quill' }, ({ last_name }) => last_name === 'Quill'],
  [
    'an answer of cases',
    { answers: '1.case.priority.is.priority_1_2_working_days' },
    ({ priority }) => priority,
  ],
  [
    'one answer of cases or none',
    { answers: '1.case.priority.is.priority_1_2_working_days*1.case.priority.unset' },
    () => true,
  ],
  ['no answer of cases', { answers: '1.case.priority.unset' }, ({ priority }) => !priority],
  ['an answer of issues', { answers: '1.issue.decision_date.set' }, ({ decided }) => decided],
  ['no answer of issues', { answers: '1.issue.decision_date.unset' }, ({ decided }) => !decided],
  [
    'no answer of cases, and a name',
    { answers: '1.case.priority.unset', client: 'palmer' },
    ({ priority, last_name }) => !priority && last_name === 'Palmer',
  ],
  [
    'answers of both, and a name',
    { answers: '1.case.priority.unset*1.issue.decision_date.between.2026-02-01.2026-04-01', client: 'reed' },
    (one) => !one.priority && one.decided && one.last_name === 'Reed',
  ],
]
/** By surname, then first name. */
const nameKey = ({ first_name, last_name }: Made) => `${last_name} ${first_name}`
const ORDERS: [string, (a: Made, b: Made) => number][] = [
  ['-id', (a, b) => b.id - a.id],
  ['client_name', (a, b) => (nameKey(a) < nameKey(b) ? -1 : 1)],
]

describe.each(ROLES)('a long list as %s', (role) => {
  itInFull.each(FILTERS)('has the right page and count of %s', async (_, body, isMatch) => {
    const matches = records.filter((one) => isMatch(one) && sees[role](one))
    for (const [order_by, compare] of ORDERS) {
      const ids = matches.toSorted(compare).map(({ id }) => id)
      const last = Math.max(1, Math.ceil(Math.min(ids.length, COUNTED) / 10))
      for (const p of new Set([1, last])) {
        const { body: reply } = await callers.get(role)!('search.cases', { body, query: { order_by, p } })
        expect([order_by, p, reply.data.map(({ id }: Made) => id)]).toEqual([
          order_by,
          p,
          ids.slice((p - 1) * 10, p * 10),
        ])
        expect(reply.pagination).toMatchObject({
          count: Math.min(ids.length, COUNTED),
          more: ids.length > COUNTED,
        })
      }
    }
  })

  itInFull.each(['Palmer', 'Quill', 'C'])(
    'has the right page and count of the actions of clients named %s',
    async (client) => {
      const named = records.filter((one) => `${one.first_name} ${one.last_name}`.includes(client))
      const made = named.includes(records[0]) && sees[role](records[0]) ? ROLES.length : 0
      const ofSeen = named.filter(sees[role]).map(({ last_name }) => (last_name === 'Quill' ? 2 : 1))
      const found = ofSeen.reduce((sum, n) => sum + n, made)
      const count = Math.min(found, COUNTED)
      for (const p of [1, Math.max(1, Math.ceil(count / 10))]) {
        const { body } = await callers.get(role)!('search.actions', { body: { client }, query: { p } })
        expect(body.pagination).toMatchObject({ count, more: found > COUNTED })
        expect(body.data).toHaveLength(p === 1 ? Math.min(count, 10) : count % 10 || 10)
      }
    },
  )

  itInFull.each(['Reed', 'Quill', 'c0', 'C01 Palmer'])(
    'has the first of a quick search for %s',
    async (term) => {
      const isMatch = ({ first_name, last_name }: Made) =>
        term
          .split(' ')
          .every((word) => `${first_name} ${last_name}`.toLowerCase().includes(word.toLowerCase()))
      const matches = new Set(records.filter((one) => isMatch(one) && sees[role](one)).map(({ id }) => id))
      const { body } = await callers.get(role)!('search.quick', { query: { term } })
      expect(body).toHaveLength(Math.min(matches.size, 10))
      expect(body.filter(({ id }: Made) => !matches.has(id))).toEqual([])
    },
  )

  itInFull.each(['Palmer', 'Quill', 'C'])(
    'sums the time of the clients that it finds by %s',
    async (term) => {
      const matches = records.filter(
        (one) => `${one.first_name} ${one.last_name}`.includes(term) && sees[role](one),
      )
      const { body } = await callers.get(role)!('search.clients', { body: { term } })
      const isMore = matches.length > COUNTED
      const beyond = await callers.get(role)!('search.clients', { body: { term }, query: { p: 900 } })
      expect(isMore || beyond.body.total_time === body.total_time).toBe(true)
      expect([body.pagination.count, body.total_time]).toEqual([
        Math.min(matches.length, COUNTED),
        isMore ? null : matches.length * MINUTE,
      ])
    },
  )
})

// In the first more is done than lists count.
itInFull.each(['2026-02-01', '2026-02-02'])('counts the work since %s that a manager sees', async (start) => {
  const seen = records.filter(sees.manager)
  const quills = seen.filter(({ last_name }) => last_name === 'Quill').length
  const ofIssues = start === '2026-02-01' ? seen.length : 0
  const expected = { actions: ofIssues + quills + 1, time_taken: ofIssues * MINUTE }
  const query = { start, end: '2026-02-03' }
  const report = await callers.get('manager')!('reports.work', { query })
  expect(report.body.totals).toMatchObject({ actions: expected.actions, time: expected.time_taken })
  const rows = await callers.get('manager')!('reports.workRows', { query })
  expect(rows.body.pagination.count).toBe(expected.actions)
  expect(rows.body.totals).toMatchObject({ time_taken: expected.time_taken })
  const unended = await callers.get('manager')!('reports.workRows', { query: { start } })
  expect(unended.body.pagination.count).toBe(expected.actions)
})

itInFull('of more rows than lists count is refused as a file, found by its filters or not', async () => {
  for (const query of [{}, { term: 'C00' }, { term: 'C' }]) {
    const { status } = await callers.get('admin')!('clients.list', { query: { ...query, format: 'xlsx' } })
    expect([query, status]).toEqual([query, query.term === 'C00' ? 200 : 413])
  }
})

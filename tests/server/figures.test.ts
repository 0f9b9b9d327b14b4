import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import xlsx from 'xlsx'
import { type Caller, describeServer, startTestServer } from './context.ts'
import { createCase } from './newCase.ts'

interface Figures {
  label: string
  issues: number | string
  people: number | string
  closed: number | string
  outcomes: number | string | null
  time: number | null
  days: number | null
}

const context = describeServer()
let admin: Caller
let commissioner: Caller
const ids: number[] = []
/** The first of a month before this one, YYYY-MM. */
let month: string

/** Issues of one case each: so many of contract 1 last month, the last of them open, and one of another contract. */
const OF_CONTRACT = 13
const NARROWED: Record<string, string>[] = [
  {},
  { service: '1' },
  { service: '2' },
  { commissioning_contract: '1' },
]
beforeAll(async () => {
  admin = await context.as('admin')
  commissioner = await context.as('commissioner')
  const { rows } = await sql<{
    month: string
  }>`select to_char(now() - interval '1 month', 'YYYY-MM') as month`.execute(context.db)
  month = rows[0].month
  for (let i = 0; i <= OF_CONTRACT; i++) ids.push((await createCase(admin)).issue)
  await sql`update issues set start_date = ${`${month}-03`}, contract = 1, advocate = null, issue_type = case when id <= ${ids[2]} then 1 else 2 end,
    is_opened = id > ${ids[1]} where id = any(${ids})`.execute(context.db)
  await sql`update issues set contract = 2 where id = ${ids[OF_CONTRACT]}`.execute(context.db)
  await sql`insert into actions (issue, "case", client, type, done_on, time_taken, created_by)
    select id, "case", client, 1, ${`${month}-05`}, 3600, ${admin.id} from issues where id = any(${ids})`.execute(
    context.db,
  )
})

async function figures(
  who: Caller,
  query: Record<string, string> = {},
): Promise<{ data: Figures[]; totals: Figures }> {
  const { status, body } = await who('reports.figures', { query })
  expect([status, body]).toEqual([200, expect.anything()])
  return body
}
const byLabel = ({ data }: { data: Figures[] }) =>
  Object.fromEntries(data.map(({ label, issues }) => [label, issues]))

describe('figures', () => {
  it('count what began in whole months, every month of them', async () => {
    const { data, totals } = await figures(admin)
    expect(data).toHaveLength(12)
    expect(data.at(-1)).toMatchObject({
      label: month,
      issues: 14,
      people: 14,
      closed: 2,
      time: 14 * 3600,
      days: 2,
    })
    expect(data.filter(({ issues }) => issues === 0)).toHaveLength(11)
    expect(totals).toMatchObject({ issues: 14, people: 14, time: 14 * 3600 })
  })

  it.each(['service', 'issue_type', 'contract', 'council_area', 'gender', 'ethnicity', 'age'])(
    'by %s add up to all of them',
    async (by) => {
      const { data, totals } = await figures(admin, { by })
      expect([by, data.reduce((sum, { issues }) => sum + Number(issues), 0)]).toEqual([by, totals.issues])
    },
  )

  it('are sorted by a number in both directions', async () => {
    const issues = async (order_by: string) => {
      const query = { by: 'issue_type', start: `${month}-01`, end: `${month}-28`, order_by }
      return (await admin('reports.issues', { query })).body.data.map((one: Figures) => one.issues)
    }
    expect([await issues('issues'), await issues('-issues')]).toEqual([
      [3, 11],
      [11, 3],
    ])
  })

  it('count a person once, however many issues there are', async () => {
    const { rows } = await sql<{
      case: number
    }>`select "case" from issues where id = any(${[ids[0], ids[3]]}) order by id`.execute(context.db)
    const move = (to: number) =>
      sql`update issues set "case" = ${to} where id = ${ids[3]}`.execute(context.db)
    await move(rows[0].case)
    expect((await figures(admin, { by: 'issue_type' })).totals).toMatchObject({ issues: 14, people: 13 })
    await move(rows[1].case)
  })

  it('count no issue that the reader may not see', async () => {
    for (const who of ['manager', 'partnermanager', 'hubmanager']) {
      const caller = await context.as(who)
      const { rows } = await sql<{
        n: number
      }>`select count(*)::int as n from issues where advocate is null and service = any(
        (select services from staff where username = ${who})::int[])`.execute(context.db)
      expect([who, (await figures(caller)).totals.issues]).toEqual([who, rows[0].n])
    }
  })

  it('say what is wrong with what was asked', async () => {
    for (const query of [{ by: 'name' }, { by: '__proto__' }, { period: 'today' }]) {
      const { status, body } = await admin('reports.figures', { query })
      expect([query, status, Object.keys(body)]).toEqual([query, 400, Object.keys(query)])
    }
  })
})

describe('figures for a commissioner', () => {
  it('are of their contracts only, with small numbers protected and others rounded', async () => {
    const known = await figures(admin, { by: 'issue_type', commissioning_contract: '1' })
    const large = known.data.filter(({ issues }) => Number(issues) > 5)
    expect([known.data.length, large.length]).toEqual([2, 1])
    const { data, totals } = await figures(commissioner, { by: 'issue_type' })
    expect(byLabel({ data })).toEqual({ [large[0].label]: 10, 'Groups of 5 or fewer': undefined })
    expect(data.at(-1)).toEqual({ id: 2, label: 'Groups of 5 or fewer' })
    expect(totals).toMatchObject({ issues: 15, people: 15, closed: '5 or fewer', time: null })
    // Without a group of few, from which the time of the others could be subtracted.
    const { totals: whole } = await figures(commissioner, { by: 'contract' })
    expect(whole).toMatchObject({ issues: 15, time: 15 * 3600 })
    const months = (await figures(commissioner)).data
    expect(months).toHaveLength(12)
    expect(months[0]).toMatchObject({ issues: '5 or fewer', people: '5 or fewer', time: null, days: null })
    expect(Object.keys(byLabel(await figures(commissioner, { by: 'contract' })))).toHaveLength(1)
    expect((await figures(commissioner, { commissioning_contract: '2' })).totals.issues).toBe('5 or fewer')
  })

  it('contain no number below six, whatever the filter', async () => {
    for (const by of [
      'month',
      'service',
      'issue_type',
      'contract',
      'council_area',
      'gender',
      'ethnicity',
      'age',
    ])
      for (const narrowed of NARROWED) {
        const { data, totals } = await figures(commissioner, { by, ...narrowed })
        for (const row of [...data, totals])
          for (const count of [row.issues, row.people, row.closed, row.outcomes])
            expect(count === '5 or fewer' || Number(count ?? 5) % 5 === 0).toBe(true)
      }
  })

  it('name no group that the total would reveal to be one person', async () => {
    const types = [1, 2, 3, 4, 5]
    for (const type of types)
      await sql`update issues set contract = 3, issue_type = ${type} where id = ${ids[type]}`.execute(
        context.db,
      )
    await sql`update staff set contracts = '{1,3}' where id = ${commissioner.id}`.execute(context.db)
    const { data, totals } = await figures(commissioner, { by: 'issue_type', commissioning_contract: '3' })
    expect([data, totals.issues]).toEqual([[{ id: 1, label: 'Groups of 5 or fewer' }], '5 or fewer'])
    await sql`update staff set contracts = '{1}' where id = ${commissioner.id}`.execute(context.db)
    await sql`update issues set contract = 1, issue_type = case when id <= ${ids[2]} then 1 else 2 end
      where id = any(${types.map((type) => ids[type])})`.execute(context.db)
  })

  it('are the same in the file', async () => {
    const { data } = await figures(commissioner, { by: 'issue_type' })
    const reply = await fetch(`${context.address}/api/reports/figures?by=issue_type&format=xlsx`, {
      headers: commissioner.headers,
    })
    const book = xlsx.read(Buffer.from(await reply.arrayBuffer()))
    const rows = xlsx.utils.sheet_to_json<Record<string, unknown>>(book.Sheets.data)
    for (const { label, issues } of data)
      expect(rows.find((row) => row['Issue type'] === label)?.Issues).toBe(issues ?? '')
  })

  it('of rows that they may not read are counted apart from those that they can count in another role', async () => {
    const { id } = commissioner
    const roles = (groups: number[]) =>
      sql`update staff set groups = ${groups}::int[], services = '{1}' where id = ${id}`.execute(context.db)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from issues
      where contract = 1 and status = 1 and advocate is null and service = 1`.execute(context.db)
    expect(rows[0].n).toBe(OF_CONTRACT)
    // All but two are of their own service: what is left is said to be few, not the difference of two numbers.
    await sql`update issues set advocate = ${admin.id} where id = any(${ids.slice(0, 2)})`.execute(context.db)
    await roles([5, 2])
    const { totals, data } = await figures(commissioner, { by: 'contract' })
    expect(totals).toMatchObject({ issues: '5 or fewer', people: '5 or fewer', time: null })
    expect(Object.keys(data[0])).not.toContain('by_value')
    await roles([5, 1])
    expect((await figures(commissioner)).totals.issues).toBe(OF_CONTRACT + 1)
    await roles([5])
    expect((await figures(commissioner)).totals.issues).toBe(15)
    await sql`update issues set advocate = null where id = any(${ids.slice(0, 2)})`.execute(context.db)
  })

  it('have no average of five or fewer, however many issues there are', async () => {
    // An action before the start of its issue has no days.
    const withDays = (count: number) =>
      sql`update actions set done_on = case when issue = any(${ids.slice(0, count)}) then ${`${month}-05`}::date
        else ${`${month}-01`}::date end where issue = any(${ids})`.execute(context.db)
    for (const [count, days] of [
      [6, 2],
      [5, null],
    ] as const) {
      await withDays(count)
      expect((await figures(commissioner)).totals).toMatchObject({ issues: 15, days })
      expect((await figures(admin)).totals.days).toBe(2)
    }
    await withDays(ids.length)
  })

  it('have no percentage that few deadlines make, met or not, and no total of which it would be the rest', async () => {
    await sql`delete from deadlines`.execute(context.db)
    await sql`insert into deadlines (case_type, name, seq, client, "case", issue, label, title, counted_from, due, warn_from, form_version)
      select k.case_type, 'tested', 0, i.client, i."case", i.id, 'Tested', 'Tested', i.start_date, i.start_date + 5, i.start_date, 1
      from issues i join cases k on k.id = i."case" where i.id = any(${ids})`.execute(context.db)
    const percents = async (who: Caller, met: number) => {
      await sql`update deadlines set met_on = due + case when issue = any(${ids.slice(0, met)}) then 0 else 1 end
        where name = 'tested'`.execute(context.db)
      const { body } = await who('reports.deadlineFigures', { query: { by: 'deadline' } })
      const row = body.data.find(({ label }: { label: string }) => label === 'Tested')
      return [row.percent, body.totals.percent === null]
    }
    expect(await percents(commissioner, 6)).toEqual([43, false])
    expect(await percents(commissioner, ids.length - 6)).toEqual([57, false])
    for (const met of [0, 5, ids.length - 5, ids.length])
      expect(await percents(commissioner, met)).toEqual([null, true])
    expect(await percents(admin, ids.length)).toEqual([100, false])
    await sql`delete from deadlines where name = 'tested'`.execute(context.db)
  })

  it('are exact where the service lets commissioners read the records', async () => {
    const open = await startTestServer({ COMMISSIONER_READS_RECORDS: '1' })
    const made = await open.as('admin')
    const { issue } = await createCase(made)
    await sql`update issues set start_date = ${`${month}-03`}, contract = 1 where id = ${issue}`.execute(
      open.db,
    )
    const { body } = await (await open.as('commissioner'))('reports.figures')
    expect(body.totals.issues).toBe(1)
    await open.end()
  })
})

import { sql } from 'kysely'
import { beforeAll, expect, it } from 'vitest'
import { relativeDay } from '../../src/contract/relativeDay.ts'
import { today } from '../../src/server/core/today.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

/** A day that the browser resolves: '-1d'. */
const DAY = /^-\d+d$/

const context = describeServer()
let advocate: Caller
let manager: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  manager = await context.as('manager')
  for (let i = 0; i < 6; i++) {
    const { id, issue } = await createCase(advocate)
    await sql`update issues set advocate = ${advocate.id} where "case" = ${id}`.execute(context.db)
    const answers = { sfg_concern: 'yes', sfg_category: [1], sfg_dsl_level: 1 }
    if (i < 2) await advocate('issues.update', { params: { id: issue }, body: { answers } })
    if (i < 3)
      await advocate('cases.update', {
        params: { id },
        body: { answers: { is_urgent: 'yes', urgent_reason: 'Soon' } },
      })
    // Exactly at the limits: due yesterday and today, without contact for 28 days and for 27.
    const due = ['current_date - 1', 'current_date'][i % 2]
    await advocate('tasks.create', { body: { title: 'Ring', due: '2030-01-01', issue } })
    await sql`update tasks set due = ${sql.raw(due)} where issue = ${issue} and title = 'Ring'`.execute(
      context.db,
    )
    const started = ['current_date - 28', 'current_date - 27'][i % 2]
    await sql`update issues set start_date = ${sql.raw(started)} where id = ${issue}`.execute(context.db)
  }
})

it('counts for each person what the lists behind its numbers have', async () => {
  const now = today('Europe/London')
  const { data } = (await manager('reports.team')).body
  const row = data.find(({ id }: { id: number }) => id === advocate.id)
  expect(row).toMatchObject({
    open_issues: 6,
    urgent_issues: 3,
    overdue_steps: 3,
    quiet_issues: 3,
    alerted_issues: 2,
  })
  const { columns } = context.contract.screens['my-team'] as unknown as {
    columns: { field: string; link?: string }[]
  }
  const links = columns.filter(
    (one) => typeof one === 'object' && one.link?.startsWith('/dashboard/team/{id}?'),
  )
  expect(links).toHaveLength(5)
  for (const { field, link } of links) {
    const params = [...new URLSearchParams(link!.split('?')[1])]
    const query = Object.fromEntries(
      params.map(([name, value]) => [name, DAY.test(value) ? relativeDay(value, now) : value]),
    )
    const list = await manager('issues.ofStaff', { params: { id: advocate.id }, query })
    expect([field, list.status, list.body.pagination.count]).toEqual([field, 200, row[field]])
  }
})

it('is of the team and the hub of its managers only', async () => {
  const names = async (who: Caller) =>
    (await who('reports.team')).body.data.map(({ id }: { id: number }) => id)
  expect(await names(manager)).toContain(advocate.id)
  expect(await names(await context.as('partnermanager'))).not.toContain(advocate.id)
  const hub = await context.as('hub')
  expect(await names(await context.as('hubmanager'))).toContain(hub.id)
  expect((await advocate('reports.team')).status).toBe(403)
})

it('finds the cases of an advocate whose issue is visible, and separates open from closed ones', async () => {
  const list = async (who: Caller, query: object) => {
    const { status, body } = await who('cases.list', { query: { page_size: 50, ...query } })
    const rows = Object.values(body.data) as { advocate_name: string }[]
    return [status, rows.map(({ advocate_name }) => advocate_name)] as const
  }
  const { id, issue } = await createCase(manager)
  await sql`update issues set advocate = ${manager.id}, created_by = ${manager.id} where id = ${issue}`.execute(
    context.db,
  )
  const ofAdvocate = await list(advocate, { advocate: advocate.id })
  expect([ofAdvocate[0], ofAdvocate[1].length]).toEqual([200, 6])
  expect(new Set(ofAdvocate[1]).size).toBe(1)
  expect(await list(advocate, { advocate: manager.id })).toEqual([200, []])
  expect((await list(manager, { advocate: manager.id, closed: false }))[1]).toHaveLength(1)
  await manager('issues.close', { params: { id: issue }, body: { reasons: [1] } })
  expect((await list(manager, { closed: true }))[1]).toHaveLength(1)
  expect((await manager('cases.read', { params: { id } })).status).toBe(200)
})

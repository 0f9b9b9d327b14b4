import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'

const context = describeServer()
let manager: Caller
let advocate: Caller
let made: { id: number; issue: number }
beforeAll(async () => {
  manager = await context.as('manager')
  advocate = await context.as('advocate')
  made = await createCase(advocate)
  await sql`update issues set advocate = ${advocate.id} where id = ${made.issue}`.execute(context.db)
  await sql`update staff set line_manager = ${manager.id} where id = ${advocate.id}`.execute(context.db)
})

type Row = { id: number; name: string; workload: string; leave: string | null; team: string }
const rowsOf = async (who: Caller, call: string, query = {}) =>
  (await who(call, { query: { page_size: 500, ...query } })).body.data as Row[]
const ids = (rows: Row[]) => rows.map(({ id }) => id)
const standing = (status: number) =>
  sql`update staff set status = ${status} where id = ${advocate.id}`.execute(context.db)

describe('a manager’s advocates', () => {
  it('are those at work in a role with cases, not the manager', async () => {
    expect(ids(await rowsOf(manager, 'reports.advocates'))).toContain(advocate.id)
    expect(ids(await rowsOf(manager, 'reports.advocates'))).not.toContain(manager.id)
    for (const [status, is] of [
      [2, false],
      [3, false],
      [4, true],
      [1, true],
    ] as const) {
      await standing(status)
      expect(ids(await rowsOf(manager, 'reports.advocates')).includes(advocate.id)).toBe(is)
      expect(ids(await rowsOf(manager, 'staff.caseworkers')).includes(advocate.id)).toBe(is)
    }
  })

  it('are offered with what they have to do, and found by name and by team', async () => {
    await standing(4)
    const [her] = (await rowsOf(manager, 'staff.caseworkers')).filter(({ id }) => id === advocate.id)
    expect(her).toMatchObject({ workload: '1 open issue', leave: 'on leave' })
    expect(her.team).toMatch(/team of \S/)
    await standing(1)
    const term = her.team.replace(/^.*team of /, '').toUpperCase()
    expect(ids(await rowsOf(manager, 'staff.caseworkers', { term }))).toContain(advocate.id)
    expect(ids(await rowsOf(manager, 'staff.caseworkers', { term: 'no such team' }))).toEqual([])
  })

  it('are read one by one only within the team', async () => {
    const read = (id: number) => manager('staff.read', { params: { id } })
    expect((await read(advocate.id)).body).toMatchObject({ id: advocate.id, open_issues: 1 })
    const partner = await context.as('partner')
    expect((await read(partner.id)).status).toBe(404)
  })
})

describe('open issues to write an action on', () => {
  it('are those in scope, found by the client', async () => {
    expect(ids(await rowsOf(manager, 'issues.open'))).toContain(made.issue)
    const { rows } = await sql<{ name: string }>`select client_name as name from issue_rows
      where id = ${made.issue}`.execute(context.db)
    const term = rows[0].name
    expect(ids(await rowsOf(manager, 'issues.open', { term }))).toContain(made.issue)
    expect(ids(await rowsOf(manager, 'issues.open', { term: 'nobody of that name' }))).toEqual([])
    expect(ids(await rowsOf(await context.as('partnermanager'), 'issues.open'))).not.toContain(made.issue)
    await sql`update issues set is_opened = false where id = ${made.issue}`.execute(context.db)
    expect(ids(await rowsOf(manager, 'issues.open'))).not.toContain(made.issue)
  })
})

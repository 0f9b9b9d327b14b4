import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { DetailScreen } from '../../src/contract/generated.ts'
import { holds } from '../../src/contract/when.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, PASSWORD, signIn, startTestServer, type TestContext } from './context.ts'
import { outboxOf } from './mails.ts'

const DATA_DIR = temporaryFolder('staff-')
const BEA = {
  username: 'bea.lowe',
  first_name: 'Bea',
  last_name: 'Lowe',
  email: 'bea@example.org',
  groups: [4],
}

let context: TestContext
let admin: Caller
let manager: Caller
let advocate: Caller
beforeAll(async () => {
  context = await startTestServer({ DATA_DIR })
  admin = await context.as('admin')
  manager = await context.as('manager')
  advocate = await context.as('advocate')
})
afterAll(() => context?.end())

const mails = () => outboxOf(DATA_DIR)
const add = (more: object = {}) => admin('staff.add', { body: { ...BEA, ...more } })
const edit = (id: number, body: object, who = admin) => who('staff.edit', { params: { id }, body })
const historyOf = async (id: number) => (await admin('staff.history', { params: { id } })).body.data
let bea: number
beforeEach(async () => {
  await sql`delete from staff where username like 'bea%' or username like 'BEA%'`.execute(context.db)
  const { status, body } = await add()
  expect([status, body]).toEqual([201, expect.objectContaining({ ...BEA, status: 1, has_password: 'no' })])
  bea = body.id
})

describe('a new person', () => {
  it('gets an email with a link, and cannot sign in before a password is set by it', async () => {
    const mail = mails().find((text) => text.includes('bea@example.org') && text.includes('bea.lowe'))!
    await expect(signIn(context.contract, context.address, 'bea.lowe', PASSWORD)).rejects.toThrow('401')
    await expect(signIn(context.contract, context.address, 'bea.lowe', '')).rejects.toThrow(/40[01]/)
    expect(mail).toMatch(/\/reset-password\/[\w-]{43}/)
    expect(mail).toMatch(/^Subject: Welcome to Advocacy casework\r$/m)
    for (const words of [
      `An administrator added you to Advocacy casework, at ${context.address}`,
      'Your user name is bea.lowe',
      'within one hour',
      `“Forgotten your password?” on the page where you sign in, ${context.address}/login`,
    ])
      expect(mail).toContain(words)
    expect(mail).not.toContain('stays as it is')
    const { status } = await add({ username: 'bea2', password_hash: 'x' })
    expect(status).toBe(400)
  })

  it('is found by status', async () => {
    await sql`update staff set status = 2 where username = 'stranger'`.execute(context.db)
    const named = async (status: string) =>
      (await admin('staff.list', { query: { status, page_size: 100 } })).body.data.map(
        ({ username }: { username: string }) => username,
      )
    expect(await named('1')).toContain('advocate')
    expect(await named('1')).not.toContain('stranger')
    expect(await named('2')).toEqual(['stranger'])
    await sql`update staff set status = 1 where username = 'stranger'`.execute(context.db)
  })

  it('is not added if no email can go out', async () => {
    const { status, body } = await add({ username: 'bea3', email: 'not an address' })
    expect([status, body]).toEqual([400, { email: [expect.stringContaining('must be like')] }])
    expect((await admin('staff.list', { query: { term: 'bea3' } })).body.data).toEqual([])
  })

  it('needs a name, an address and a role; the user name is nobody else’s in any letters', async () => {
    const { body } = await admin('staff.add', { body: {} })
    expect(Object.keys(body).sort()).toEqual(['email', 'first_name', 'groups', 'last_name', 'username'])
    for (const username of ['bea.lowe', 'BEA.Lowe']) {
      const taken = await add({ username })
      expect([taken.status, taken.body]).toEqual([400, { username: ['User name is taken by somebody else'] }])
    }
    expect((await add({ username: 'bea lowe' })).body).toEqual({
      username: ['User name must be without spaces'],
    })
  })

  it('has only roles that are offered, and a partner organisation only as a partner', async () => {
    expect((await add({ username: 'bea4', groups: [5] })).body).toEqual({
      groups: ['Roles must be one of the choices'],
    })
    expect((await add({ username: 'bea5', groups: [77] })).status).toBe(400)
    const org = { partner_organisation: 1 }
    expect((await add({ username: 'bea6', ...org })).body.partner_organisation).toBeNull()
    const partner = (await add({ username: 'bea7', groups: [8], ...org })).body
    expect(partner.partner_organisation).toBe(1)
    expect((await edit(partner.id, { groups: [4] })).body.partner_organisation).toBeNull()
  })

  it('keeps a role that is no longer offered', async () => {
    const commissioner = await context.as('commissioner')
    const { status, body } = await edit(commissioner.id, { first_name: 'Casey', groups: [5, 4] })
    expect([status, body.groups]).toEqual([200, [5, 4]])
    await edit(commissioner.id, { groups: [5] })
  })
})

describe('a change', () => {
  it('merges, conflicts and is audited like every other', async () => {
    const first = await edit(bea, { version: 1, phone: '0113 496 0000', services: [1, 2] })
    expect([first.status, first.body.version]).toEqual([200, 2])
    const merged = await edit(bea, { version: 1, hub: 1 })
    // The lookup of hubs is empty here.
    expect(merged.body).toEqual({ hub: ['Hub must be one of the choices'] })
    const conflict = await edit(bea, { version: 1, phone: '0113 496 0001' })
    expect([conflict.status, conflict.body.code]).toEqual([409, 'conflict'])
    expect(conflict.body.fields.phone).toMatchObject({ theirs: '0113 496 0000', by: 'admin Example' })
    const [entry] = await historyOf(bea)
    expect(entry).toMatchObject({ title: 'Changed', person: 'admin Example' })
    expect(entry.changes.map((c: { label: string; to: string }) => `${c.label}: ${c.to}`)).toEqual([
      'Telephone: 0113 496 0000',
      expect.stringMatching(/^Services: Independent Mental Capacity/),
    ])
  })

  it('never leads a line of managers back to itself', async () => {
    const words = { line_manager: ['Line manager must not be this person, nor anybody they lead'] }
    await edit(bea, { groups: [2], line_manager: manager.id })
    expect((await edit(bea, { line_manager: bea })).body).toEqual(words)
    expect((await edit(manager.id, { line_manager: bea })).body).toEqual(words)
    expect((await edit(advocate.id, { line_manager: bea })).status).toBe(200)
    // Somebody without a managing role is none of the choices.
    expect((await edit(bea, { line_manager: advocate.id })).body).toEqual({
      line_manager: ['Line manager must be one of the choices'],
    })
    await edit(advocate.id, { line_manager: manager.id })
  })

  it('of two at once never makes a circle either', async () => {
    const cyd = (await add({ username: 'bea.cyd', groups: [2] })).body.id
    await edit(bea, { groups: [2] })
    const done = await Promise.all([edit(bea, { line_manager: cyd }), edit(cyd, { line_manager: bea })])
    expect(done.map(({ status }) => status).sort()).toEqual([200, 400])
    await edit(bea, { line_manager: null })
  })

  it('keeps leave in order', async () => {
    expect((await edit(bea, { leave_from: '2026-08-01', leave_to: '2026-07-01' })).body).toEqual({
      leave_to: [expect.stringContaining('must not be before')],
    })
    expect((await edit(bea, { leave_to: '2026-07-01' })).body.leave_to).toBeNull()
    const away = await edit(bea, { status: 4, leave_from: '2026-07-01', leave_to: '2099-08-01' })
    expect(away.body).toMatchObject({ status: 4, leave_from: '2026-07-01', leave_to: '2099-08-01' })
    const [row] = (await manager('staff.caseworkers', { query: { term: 'bea lowe' } })).body.data
    expect(row.leave).toBe('on leave until 1 August 2099')
    const back = await edit(bea, { status: 1, leave_from: null, leave_to: null })
    expect(back.body).toMatchObject({ status: 1, leave_from: null, leave_to: null })
  })

  it('is for administrators; managers read those they lead', async () => {
    await edit(bea, { line_manager: manager.id })
    // Who belongs to a team is read once a call.
    expect((await manager('staff.read', { params: { id: bea } })).body).toMatchObject({
      id: bea,
      name: 'Bea Lowe',
    })
    expect((await edit(bea, { phone: '0113 496 0002' }, manager)).status).toBe(403)
    const other = await context.as('partnermanager')
    for (const call of ['staff.read', 'staff.history', 'staff.work', 'issues.ofStaff', 'tasks.ofStaff']) {
      expect([call, (await manager(call, { params: { id: bea } })).status]).toEqual([call, 200])
      expect([call, (await other(call, { params: { id: bea } })).status]).toEqual([call, 404])
    }
    expect((await manager('staff.history', { params: { id: bea } })).body.data).toHaveLength(2)
  })
})

describe('a person who is suspended or retired', () => {
  const setPassword = () =>
    sql`update staff set password_hash = (select password_hash from staff where username = 'admin') where id = ${bea}`.execute(
      context.db,
    )

  it.each([2, 3])('is signed out at once with status %i, and their links are void', async (status) => {
    await setPassword()
    const her = await signIn(context.contract, context.address, 'bea.lowe', PASSWORD)
    const news = await fetch(`${context.address}/api/news/stream`, {
      headers: { accept: 'application/json', authorization: `Token ${her.key}` },
    })
    const reader = news.body!.getReader()
    await reader.read()
    const began = Date.now()
    expect((await edit(bea, { status })).body.status).toBe(status)
    while (!(await reader.read()).done);
    expect(Date.now() - began).toBeLessThan(3000)
    expect((await her('auth.me')).status).toBe(401)
    const { rows } = await sql`select 1 from session where staff = ${bea}
      union all select 1 from password_reset where staff = ${bea}`.execute(context.db)
    expect(rows).toEqual([])
    await expect(signIn(context.contract, context.address, 'bea.lowe', PASSWORD)).rejects.toThrow('401')
    const link = await admin('staff.sendLink', { params: { id: bea } })
    expect([link.status, link.body.status]).toEqual([400, [expect.any(String)]])
    expect((await edit(bea, { status: 1 })).body.status).toBe(1)
    await signIn(context.contract, context.address, 'bea.lowe', PASSWORD)
  })

  it('is never oneself, nor does one take the role of administrator from oneself', async () => {
    for (const body of [{ status: 2 }, { status: 3 }, { groups: [2] }]) {
      const { status, body: said } = await edit(admin.id, body)
      expect([status, said.code]).toEqual([409, 'ownAccess'])
    }
    expect((await edit(admin.id, { groups: [1, 2] })).status).toBe(200)
    expect((await edit(admin.id, { groups: [1] })).status).toBe(200)
    expect((await admin('auth.me')).status).toBe(200)
  })

  it('is never the last administrator, also where two put each other out at once', async () => {
    await setPassword()
    await edit(bea, { groups: [1] })
    const her = await signIn(context.contract, context.address, 'bea.lowe', PASSWORD)
    const done = await Promise.all([edit(bea, { groups: [4] }), edit(admin.id, { groups: [4] }, her)])
    const codes = done.map(({ status, body }) => (status === 200 ? 200 : body.code)).sort()
    // Whichever came second was refused: as the last one, or because the role was gone by then.
    expect([
      [200, 'lastAdmin'],
      [200, 'forbidden'],
    ]).toContainEqual(codes)
    const { rows } = await sql`select 1 from staff where status in (1, 4) and 1 = any(groups)`.execute(
      context.db,
    )
    expect(rows).toHaveLength(1)
    await sql`update staff set groups = '{1}' where id = ${admin.id}`.execute(context.db)
  })
})

describe('a record', () => {
  it('says whether it is one’s own, whatever it answers', async () => {
    const isMe = async (who: Caller, id: number) => {
      const read = (await who('staff.read', { params: { id } })).body
      expect(Object.keys(read).sort()).toEqual(Object.keys(context.contract.entities.staff.properties).sort())
      return read.is_me
    }
    expect([await isMe(admin, admin.id), await isMe(admin, manager.id)]).toEqual([true, false])
    expect([await isMe(manager, manager.id), await isMe(manager, advocate.id)]).toEqual([true, false])
    expect((await edit(admin.id, { phone: '0113 496 0003' })).body.is_me).toBe(true)
    expect((await edit(bea, { phone: '0113 496 0003' })).body.is_me).toBe(false)
  })

  it('offers to suspend and retire others, and never oneself', async () => {
    const { actions = [] } = context.contract.screens['staff-member'] as DetailScreen
    const offered = async (id: number) => {
      const record = (await admin('staff.read', { params: { id } })).body
      return actions.filter(({ when }) => holds(when, { record })).map(({ label }) => label)
    }
    expect(await offered(bea)).toEqual(expect.arrayContaining(['Suspend', 'Retire', 'Put on leave']))
    const own = await offered(admin.id)
    expect(own).toContain('Put on leave')
    expect(own.filter((label) => ['Suspend', 'Retire'].includes(label))).toEqual([])
  })
})

describe('sessions of others', () => {
  it('are seen and ended one by one or all, by administrators', async () => {
    await sql`delete from session where staff = ${advocate.id}`.execute(context.db)
    const [one, two, three] = await Promise.all(
      [1, 2, 3].map(() => signIn(context.contract, context.address, 'advocate')),
    )
    const seen = async () => (await admin('staff.sessions', { params: { id: advocate.id } })).body.data
    expect(await seen()).toHaveLength(3)
    const [first] = await seen()
    expect(first.is_current).toBe(false)
    expect(Object.keys(first)).not.toContain('token_hash')
    expect((await admin('staff.endSession', { params: { id: first.id } })).status).toBe(204)
    expect((await admin('staff.endSession', { params: { id: first.id } })).status).toBe(404)
    expect(await seen()).toHaveLength(2)
    const { body } = await admin('staff.endSessions', { params: { id: advocate.id } })
    expect(body).toEqual({ ended: 2, words: '2 sessions' })
    for (const gone of [one, two, three]) expect((await gone('auth.me')).status).toBe(401)
    expect((await manager('staff.sessions', { params: { id: advocate.id } })).status).toBe(403)
    expect((await historyOf(advocate.id))[0]).toMatchObject({ title: 'Sessions ended' })
    await admin('staff.endSessions', { params: { id: admin.id } })
    expect((await admin('auth.me')).status).toBe(200)
  })
})

describe('a link to set a password', () => {
  it('is emailed and audited', async () => {
    const before = mails().length
    expect((await admin('staff.sendLink', { params: { id: bea } })).status).toBe(200)
    expect(mails()).toHaveLength(before + 1)
    expect((await historyOf(bea))[0].title).toBe('Link to set a password sent')
  })
})

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Caller, describeServer, PASSWORD } from './context.ts'

const context = describeServer({ LOCK_AFTER: '3', LOCK_ADDRESS_AFTER: '8' })
let admin: Caller
beforeAll(async () => {
  admin = await context.as('admin')
})

const login = async (username: string, password: string) =>
  (await (await context.as())('auth.login', { body: { username, password } })).status
const list = async (type: string, query = {}) => (await admin('axes.list', { params: { type }, query })).body
const attempts = async (): Promise<Record<string, unknown>[]> =>
  (await list('accessattempt', { page_size: 100 })).data

describe('AXES', () => {
  it('lists its three types', async () => {
    const { status, body } = await admin.raw('/api_admin/axes/')
    expect([status, body.app_label]).toEqual([200, 'axes'])
    expect(body.models.map((m: object) => Object.values(m))).toMatchObject([
      ['Access attempts', 'accessattempt', 0, null, '/api_admin/axes/accessattempt/list/'],
      ['Access logs', 'accesslog', 1, null, '/api_admin/axes/accesslog/list/'],
      ['Access failures', 'accessfailurelog', 0, null, '/api_admin/axes/accessfailurelog/list/'],
    ])
  })

  it('shows what was tried, by whom and from where, never a password', async () => {
    const secret = 'my secret word'
    expect(await login('volunteer', secret)).toBe(401)
    expect(await login('Volunteer', secret)).toBe(401)
    expect(await attempts()).toMatchObject([
      { username: 'From this address', ip_address: '127.0.0.1', failures_since_start: 2, locked_out: false },
      { username: 'volunteer', ip_address: '127.0.0.1', failures_since_start: 2, path_info: '/login/' },
    ])
    expect(await login('volunteer', secret)).toBe(401)
    expect(await login('volunteer', PASSWORD)).toBe(423)
    const failures = (await list('accessfailurelog', { username: 'VOLUN' })).data
    expect(failures.map((f: { locked_out: boolean }) => f.locked_out)).toEqual([true, false, false, false])
    const everything = [await attempts(), failures, (await list('accesslog')).data]
    expect(JSON.stringify(everything)).not.toContain(secret)
    const { rows } = await sql<{ all: string }>`select coalesce(string_agg(a::text, ''), '') ||
      (select string_agg(l::text, '') from access_log l) as all from access_attempt a`.execute(context.db)
    expect(rows[0].all).not.toContain(secret)
  })

  it('keeps no password that was typed in place of a user name', async () => {
    const secret = 'correct horse battery'
    expect(await login(secret, '')).toBe(400)
    expect(await login(secret, 'x')).toBe(401)
    expect((await list('accessfailurelog')).data[0].username).toBe('co…')
    const { rows } = await sql<{ all: string }>`select coalesce(string_agg(a::text, ''), '') ||
      (select string_agg(l::text, '') from access_log l) as all from access_attempt a`.execute(context.db)
    expect(rows[0].all).not.toContain(secret)
    expect(rows[0].all).not.toContain('horse')
  })

  it('refuses the right password while locked, until somebody unlocks the person', async () => {
    const locked = (await attempts()).find(({ username }) => username === 'volunteer')!
    expect(locked).toMatchObject({ locked_out: true, failures_since_start: 3 })
    expect(await login('volunteer', PASSWORD)).toBe(423)
    const { status } = await admin('axes.unlock', { params: { id: locked.id } })
    expect(status).toBe(200)
    expect(await login('volunteer', PASSWORD)).toBe(200)
    expect((await admin('axes.unlock', { params: { id: locked.id } })).status).toBe(404)
    const { rows } = await sql`select action, changes -> 'username' ->> 'from' as who from audit
      where entity = 'accessAttempt'`.execute(context.db)
    expect(rows).toEqual([{ action: 'unlock', who: 'volunteer' }])
  })

  it('locks an address that guesses at many accounts, and unlocks it', async () => {
    await sql`delete from access_attempt`.execute(context.db)
    const guesses = Array.from({ length: 40 }, (_, i) => login(`nobody ${i}`, 'a guess of mine'))
    const statuses = await Promise.all(guesses)
    expect(statuses.filter((s) => s === 401)).toHaveLength(8)
    expect(statuses.filter((s) => s === 423)).toHaveLength(32)
    expect(await login('hub', PASSWORD)).toBe(423)
    const address = (await attempts()).find(({ username }) => username === 'From this address')!
    expect(address).toMatchObject({ locked_out: true, failures_since_start: 8 })
    expect((await admin('axes.locked')).body.data).toMatchObject([
      { who: 'From this address', label: 'the address 127.0.0.1', failures_since_start: 8 },
    ])
    await admin('axes.unlock', { params: { id: address.id } })
    expect((await admin('axes.locked')).body.data).toEqual([])
    expect(await login('hub', PASSWORD)).toBe(200)
    // What the address was refused is no guess at the account.
    expect((await attempts()).find(({ username }) => username === 'hub')).toBeUndefined()
  })

  it('does not blame an address for what ended with the right password', async () => {
    await sql`delete from access_attempt`.execute(context.db)
    for (let i = 0; i < 10; i++) {
      expect(await login('hub', 'a typing mistake')).toBe(401)
      expect(await login('hub', PASSWORD)).toBe(200)
    }
    expect(await attempts()).toEqual([])
  })

  it('is found by user name, sorted as Django and as the house say, page by page', async () => {
    const names = async (query: object) =>
      (await list('accesslog', query)).data.map((r: { username: string }) => r.username)
    const up = await names({ ordering: 'username' })
    expect(up).toEqual([...up].sort())
    expect(await names({ ordering: '-username' })).toEqual(
      await names({ order_by: 'username', sort_order: 'desc' }),
    )
    expect(new Set(await names({ username: 'hub' }))).toEqual(new Set(['hub']))
    expect((await list('accesslog', { p: 2, page_size: 5 })).pagination).toMatchObject({ p: 2, page_size: 5 })
    expect(
      (await admin('axes.list', { params: { type: 'accesslog' }, query: { ordering: 'x' } })).status,
    ).toBe(400)
    expect((await admin.raw('/api_admin/axes/nothing/list/')).status).toBe(404)
  })

  it('finds failed sign-ins by address and lockout, and names the person of each', async () => {
    await sql`delete from access_attempt`.execute(context.db)
    for (let i = 0; i < 3; i++) await login('volunteer', 'wrong')
    await login('hub', 'wrong')
    const locked = (await list('accessattempt', { locked_out: true, ip_address: '127.0' })).data
    expect(locked.map((one: { label: string }) => one.label)).toEqual(['volunteer'])
    const labels = (await attempts()).map(({ label }) => label).sort()
    expect(labels).toEqual(['hub', 'the address 127.0.0.1', 'volunteer'])
    expect((await list('accessattempt', { ip_address: '10.' })).data).toEqual([])
    const failures = (await list('accessfailurelog', { locked_out: true })).data
    expect(new Set(failures.map((one: { locked_out: boolean }) => one.locked_out))).toEqual(new Set([true]))
    expect((await list('accesslog', { locked_out: true })).pagination.count).toBeGreaterThan(0)
    await sql`delete from access_attempt`.execute(context.db)
  })

  it('goes out as a spreadsheet too', async () => {
    const reply = await fetch(
      `${context.address}/api_admin/axes/accesslog/list/?format=xlsx&columns=attempt_time,username`,
      {
        headers: { authorization: `Token ${admin.key}` },
      },
    )
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-disposition')).toMatch(
      /^attachment; filename="access-logs-by-[-\da-z]+\.xlsx"$/,
    )
  })

  it('is only looked at: the change form has fields that are shown, and writes are refused', async () => {
    const [{ id }] = (await list('accesslog')).data
    const { status, body } = await admin.raw(`/api_admin/axes/accesslog/${id}/change/?format=json`)
    expect([status, body.data.username]).toEqual([200, body.label])
    expect(body.fields.every((f: { attrs: { read_only?: boolean } }) => f.attrs.read_only)).toBe(true)
    const params = { app: 'axes', type: 'accesslog', id }
    for (const name of ['admin.add', 'admin.change'])
      expect((await admin(name, { params, body: { data: {} } })).status).toBe(405)
    expect((await admin('admin.blank', { params })).body.data).toEqual({})
    expect((await admin('admin.usage', { params })).status).toBe(404)
  })
})

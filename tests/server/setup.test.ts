import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { offerSetup } from '../../src/server/access/setup.ts'
import { type Caller, describeServer } from './context.ts'

const context = describeServer()
let anyone: Caller
let token: string
beforeAll(async () => {
  anyone = await context.as()
})
beforeEach(async () => {
  await sql`truncate staff, audit, access_log cascade`.execute(context.db)
  token = (await offerSetup(context.db))!
})

const BODY = { username: 'first', first_name: 'Ann', last_name: 'Example', password: 'three plain words' }
const set = (more: object = {}) =>
  anyone('auth.setup', { body: { ...BODY, token, ...more }, headers: { 'user-agent': 'A browser' } })
const rowsOf = async (query: ReturnType<typeof sql>) => (await query.execute(context.db)).rows

describe('setting up', () => {
  it('writes down who was added, and where they are signed in', async () => {
    const { status, body } = await set()
    expect([status, body.user.groups]).toEqual([200, [1]])
    const { id } = body.user
    expect(await rowsOf(sql`select staff, action, entity, record from audit`)).toEqual([
      { staff: id, action: 'create', entity: 'staff', record: id },
    ])
    expect(await rowsOf(sql`select id, username, succeeded, ip_address from access_log`)).toMatchObject([
      { username: 'first', succeeded: true, ip_address: '127.0.0.1' },
    ])
    expect(
      await rowsOf(
        sql`select s.ip_address, s.user_agent, a.username from session s join access_log a on a.id = s.access_log`,
      ),
    ).toEqual([{ ip_address: '127.0.0.1', user_agent: 'A browser', username: 'first' }])
    const headers = { authorization: `Token ${body.key}` }
    expect((await anyone('sessions.mine', { headers })).body.data).toMatchObject([{ is_current: true }])
  })

  it('is done whole or not at all', async () => {
    await sql`create function fail() returns trigger language plpgsql as 'begin raise exception ''no room''; end'`.execute(
      context.db,
    )
    await sql`create trigger fail before insert on session for each row execute function fail()`.execute(
      context.db,
    )
    expect((await set()).status).toBe(500)
    await sql`drop trigger fail on session`.execute(context.db)
    for (const table of ['staff', 'audit', 'access_log'])
      expect(await rowsOf(sql`select * from ${sql.table(table)}`)).toEqual([])
    expect((await set()).status).toBe(200)
    expect((await set({ username: 'second' })).status).toBe(404)
  })

  it.each(['two words', 'tab\there'])(
    'refuses the user name %j as a change of staff does',
    async (username) => {
      const { status, body } = await set({ username })
      expect([status, body]).toEqual([400, { username: ['User name must be without spaces'] }])
    },
  )
})

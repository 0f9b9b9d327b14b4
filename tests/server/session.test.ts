import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeServer, PASSWORD, signIn } from './context.ts'

const context = describeServer({ LOCK_AFTER: '5' })

const login = async (username: string, password: string) =>
  (await context.as())('auth.login', { body: { username, password } })

describe('signing in', () => {
  it('answers key and user, and stores only a hash of each secret', async () => {
    const { status, body } = await login('Advocate ', PASSWORD)
    expect([status, body.user.groups]).toEqual([200, [4]])
    const { rows } = await sql<{
      all: string
    }>`select string_agg(s::text, ' ') as all from session s`.execute(context.db)
    expect(rows[0].all).not.toContain(body.key)
    expect(JSON.stringify(body)).not.toContain('scrypt')
  })

  it('says the same for a wrong password and an unknown name', async () => {
    const wrong = await login('manager', 'not the password')
    const unknown = await login('nobody', 'not the password')
    expect([wrong.status, wrong.body]).toEqual([unknown.status, unknown.body])
    expect(wrong.status).toBe(401)
  })

  it('checks five of a hundred parallel attempts, and then rejects the right password too', async () => {
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => login('volunteer', `guess ${i}`)))
    const statuses = replies.map((r) => r.status)
    expect(statuses.filter((s) => s === 401)).toHaveLength(5)
    expect(statuses.filter((s) => s === 423)).toHaveLength(95)
    const locked = await login('volunteer', PASSWORD)
    expect(locked.status).toBe(423)
    expect(locked.body.message).toBe('Too many wrong passwords. Try again in 15 minutes.')
    await sql`update access_attempt set attempt_time = now() - interval '1 hour'`.execute(context.db)
    expect((await login('volunteer', PASSWORD)).status).toBe(200)
  })

  it('lets nobody in who is retired or suspended, and ends their sessions at once', async () => {
    const partner = await context.as('partner')
    expect((await partner('auth.me')).status).toBe(200)
    await sql`update staff set status = 3 where username = 'partner'`.execute(context.db)
    expect((await partner('auth.me')).status).toBe(401)
    expect((await login('partner', PASSWORD)).status).toBe(401)
    const { rows } =
      await sql`select succeeded from access_log where username = 'partner' order by id desc limit 1`.execute(
        context.db,
      )
    expect(rows).toEqual([{ succeeded: false }])
  })
})

describe('a session', () => {
  it('ends by logout', async () => {
    const hub = await signIn(context.contract, context.address, 'hub')
    expect((await hub('auth.logout')).status).toBe(204)
    expect((await hub('auth.me')).status).toBe(401)
  })

  it('that ends by logout says when beside its sign-in, and no other does', async () => {
    const where = [context.contract, context.address, 'hubmanager'] as const
    const [, second] = [await signIn(...where), await signIn(...where)]
    await second('auth.logout')
    const { rows } = await sql<{ out: boolean }>`select logout_time >= attempt_time as out from access_log
      where username = 'hubmanager' order by id`.execute(context.db)
    expect(rows.map(({ out }) => out)).toEqual([null, true])
  })

  it('ends after idling and after its longest time', async () => {
    for (const column of ['seen_at', 'expires_at']) {
      const hub = await signIn(context.contract, context.address, 'hub')
      await sql`update session set ${sql.ref(column)} = now() - interval '12 minutes' where staff = ${hub.id}`.execute(
        context.db,
      )
      expect((await hub('auth.ping')).status).toBe(401)
    }
  })

  it('is not made by a cookie alone', async () => {
    const admin = await context.as('admin')
    const { status } = await (await context.as()).raw('/api/staff/me/info', {
      headers: { cookie: `token=${admin.key}; key=${admin.key}` },
    })
    expect(status).toBe(401)
  })
})

describe('a person without a role', () => {
  it('may read their own account, sign out, and nothing else', async () => {
    const hash = sql`(select password_hash from staff where username = 'hub')`
    await sql`insert into staff (username, first_name, password_hash) values ('newcomer', 'New', ${hash})`.execute(
      context.db,
    )
    const newcomer = await signIn(context.contract, context.address, 'newcomer')
    const me = await newcomer('auth.me')
    expect([me.status, me.body]).toMatchObject([200, { username: 'newcomer', groups: [] }])
    const open = ['auth.me', 'auth.ping', 'auth.logout']
    for (const [name, { roles }] of Object.entries(context.contract.endpoints)) {
      if (roles === 'public' || open.includes(name)) continue
      const { status } = await newcomer(name, { params: { id: 1, app: 'core', type: 'title' } })
      expect([name, status]).toEqual([name, 403])
    }
    expect((await newcomer.raw('/services_lookup/')).status).toBe(403)
    expect((await newcomer('auth.ping')).status).toBe(200)
    expect((await newcomer('auth.logout')).status).toBe(204)
    expect((await newcomer('auth.me')).status).toBe(401)
  })
})

describe('a switch of status', () => {
  it('does not reactivate a person who was suspended at the same moment', async () => {
    const person = await signIn(context.contract, context.address, 'partnermanager')
    let switching: Promise<{ status: number }> | undefined
    await context.db.transaction().execute(async (tx) => {
      await sql`update staff set status = 3 where id = ${person.id}`.execute(tx)
      switching = person('auth.switchStatus', { body: { status: 4 } })
      const waits = () =>
        sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          context.db,
        )
      await expect.poll(async () => (await waits()).rows.length).toBe(1)
    })
    expect((await switching)?.status).toBe(401)
    const { rows } = await sql<{
      status: number
    }>`select status from staff where id = ${person.id}`.execute(context.db)
    expect(rows[0].status).toBe(3)
  })
})

describe('forgery', () => {
  const change = '/client/1/retire/'
  it('is refused on changes, the state-changing GETs included', async () => {
    const admin = await context.as('admin')
    const forged: Record<string, string>[] = [
      { 'x-csrftoken': '' },
      { 'x-csrftoken': 'wrong' },
      { cookie: '' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-purpose': 'prefetch' },
    ]
    for (const headers of forged) {
      const { status, body } = await admin.raw(change, { headers })
      expect([headers, status, body.code]).toEqual([headers, 403, 'csrf'])
    }
    expect((await admin.raw(change)).status).toBe(404)
  })
})

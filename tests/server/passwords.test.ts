import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, PASSWORD, signIn, startTestServer, type TestContext } from './context.ts'
import { linksIn, outboxOf, tokenIn } from './mails.ts'

const NEW = 'tea on the third floor'

let context: TestContext
let anyone: Caller
const folder = temporaryFolder('passwords-')
beforeAll(async () => {
  context = await startTestServer({ DATA_DIR: folder, LOCK_AFTER: '5' })
  anyone = await context.as()
  await sql`update staff set email = username || '@example.org'`.execute(context.db)
})
beforeEach(() => sql`delete from access_attempt`.execute(context.db))
afterAll(async () => {
  await context?.end()
  rmSync(folder, { recursive: true, force: true })
})

const come = (username: string, password = PASSWORD) =>
  signIn(context.contract, context.address, username, password)
const login = async (username: string, password: string) =>
  (await anyone('auth.login', { body: { username, password } })).status
const ask = async (username: string) => (await anyone('passwords.request', { body: { username } })).status
const set = (token: string, password: string) =>
  anyone('passwords.set', { params: { token }, body: { password } })
const check = (token: string) => anyone('passwords.check', { params: { token } })

/** Asks for a mail and answers the token in it. */
async function tokenFor(username: string): Promise<string> {
  const before = linksIn(folder).length
  expect(await ask(username)).toBe(204)
  await expect.poll(() => linksIn(folder).length).toBe(before + 1)
  return tokenIn(linksIn(folder).at(-1)!)
}

const countOf = (statuses: number[], status: number) => statuses.filter((s) => s === status).length

describe('changing one’s own password', () => {
  const change = (who: Caller, old_password: string, password: string) =>
    who('passwords.change', { body: { old_password, password } })

  it('needs the old one, ends the other sessions and keeps this one', async () => {
    const [here, there] = [await come('hub'), await come('hub')]
    expect(await change(here, 'not my password', NEW)).toMatchObject({
      status: 400,
      body: { old_password: ['Old password is wrong'] },
    })
    expect((await there('auth.me')).status).toBe(200)
    expect((await change(here, PASSWORD, NEW)).status).toBe(204)
    expect([(await here('auth.me')).status, (await there('auth.me')).status]).toEqual([200, 401])
    expect([await login('hub', PASSWORD), await login('hub', NEW)]).toEqual([401, 200])
    const { rows } = await sql`select action, record, changes from audit where entity = 'staff'`.execute(
      context.db,
    )
    expect(rows).toEqual([{ action: 'password', record: here.id, changes: null }])
  })

  it.each([
    ['short', 'New password must be 12 characters or more'],
    ['advocacy-demo', 'Password must not be one that many people use'],
    [PASSWORD, 'Password must not be the old one'],
  ])('refuses %s at its field', async (password, words) => {
    const manager = await come('manager')
    expect(await change(manager, PASSWORD, password)).toMatchObject({
      status: 400,
      body: { password: [words] },
    })
    expect(await login('manager', PASSWORD)).toBe(200)
  })

  it('checks five of a hundred parallel attempts, and then not the right one', async () => {
    const volunteer = await come('volunteer')
    const guesses = Array.from({ length: 100 }, (_, i) => change(volunteer, `guess ${i}`, NEW))
    const statuses = (await Promise.all(guesses)).map((r) => r.status)
    expect([countOf(statuses, 400), countOf(statuses, 423)]).toEqual([5, 95])
    expect((await change(volunteer, PASSWORD, NEW)).status).toBe(423)
    // It is the password of the sign-in that was guessed at.
    expect(await login('volunteer', PASSWORD)).toBe(423)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from access_log
      where username = 'volunteer' and path_info = '/user/change-own-password/' and not succeeded`.execute(
      context.db,
    )
    expect(rows[0].n).toBe(101)
    expect((await volunteer('auth.me')).status).toBe(200)
  })

  it('stores no hash of what was sent for the sake of repeats', async () => {
    const partner = await come('partner')
    const headers = { 'idempotency-key': 'the-same-again' }
    await partner('passwords.change', { body: { old_password: PASSWORD, password: NEW }, headers })
    const { rows } = await sql`select 1 from idempotency where staff = ${partner.id}`.execute(context.db)
    expect(rows).toEqual([])
  })
})

describe('an email that the password was changed', () => {
  const emailsTo = (username: string) =>
    outboxOf(folder, 'Your password was changed').filter((mail) => mail.includes(`To: ${username}@`))

  it('goes to the person who changed it: when, for which user name, and what to do if it was somebody else', async () => {
    await sql`update staff set email = 'somebody@example.org' where username = 'stranger'`.execute(context.db)
    const stranger = await come('stranger')
    const body = { old_password: PASSWORD, password: NEW }
    const day = () => new Date().toLocaleDateString('en-GB', { timeZone: 'Europe/London', dateStyle: 'long' })
    const days = [day()]
    expect((await stranger('passwords.change', { body })).status).toBe(204)
    await expect.poll(() => emailsTo('somebody').length).toBe(1)
    const [mail] = emailsTo('somebody')
    days.push(day())
    const when = /was changed on (.+), \d\d:\d\d \(Europe\/London\)\./.exec(mail)
    expect(days).toContain(when?.[1])
    expect(mail).toContain('The password of the user name stranger')
    expect(mail).toContain('If it was not you')
    expect(mail).not.toMatch(new RegExp(`${NEW}|${PASSWORD}|http|reset-password`))
    await stranger('passwords.change', { body: { old_password: NEW, password: PASSWORD } })
    await expect.poll(() => emailsTo('somebody').length).toBe(2)
  })

  it('goes to the person who set it by a link', async () => {
    await sql`update staff set email = 'linked@example.org' where username = 'stranger'`.execute(context.db)
    expect((await set(await tokenFor('stranger'), PASSWORD)).status).toBe(204)
    await expect.poll(() => emailsTo('linked').length).toBe(1)
    expect(emailsTo('linked')[0]).toContain('The password of the user name stranger')
  })

  it('goes to nobody where the password was not changed', async () => {
    await sql`update staff set email = 'same@example.org' where username = 'stranger'`.execute(context.db)
    const stranger = await come('stranger')
    const change = (old_password: string, password: string) =>
      stranger('passwords.change', { body: { old_password, password } })
    expect((await change('not my password', NEW)).status).toBe(400)
    expect((await change(PASSWORD, PASSWORD)).status).toBe(400)
    expect((await set('x'.repeat(43), NEW)).status).toBe(404)
    await tokenFor('stranger')
    expect(emailsTo('same')).toEqual([])
  })

  it('that cannot go out, or has no address to go to, keeps no password from being changed', async () => {
    for (const email of [null, 'no address']) {
      await sql`update staff set email = ${email} where username = 'stranger'`.execute(context.db)
      const stranger = await come('stranger')
      const [before, body] = [outboxOf(folder).length, { old_password: PASSWORD, password: NEW }]
      expect((await stranger('passwords.change', { body })).status).toBe(204)
      await stranger('passwords.change', { body: { old_password: NEW, password: PASSWORD } })
      expect(outboxOf(folder)).toHaveLength(before)
    }
    await sql`update staff set email = 'stranger@example.org' where username = 'stranger'`.execute(context.db)
  })
})

describe('a forgotten password', () => {
  it('is set anew by a link in an email, once; all sessions end and older links too', async () => {
    const [here, there] = [await come('advocate'), await come('advocate')]
    const [first, token] = [await tokenFor('advocate'), await tokenFor(' ADVOCATE ')]
    expect(await check(token)).toMatchObject({ status: 200, body: { username: 'advocate' } })
    expect(await set(token, 'advocate')).toMatchObject({ status: 400 })
    expect((await set(token, 'password1234')).body.password).toEqual([
      'Password must not be one that many people use',
    ])
    expect((await set(token, NEW)).status).toBe(204)
    expect([(await here('auth.me')).status, (await there('auth.me')).status]).toEqual([401, 401])
    for (const used of [token, first]) {
      expect(await check(used)).toMatchObject({ status: 404, body: { code: 'deadLink' } })
      expect((await set(used, NEW)).status).toBe(404)
    }
    expect([await login('advocate', PASSWORD), await login('advocate', NEW)]).toEqual([401, 200])
  })

  it('comes as an email to that person alone, in a file that only its owner reads', async () => {
    await tokenFor('stranger')
    const mail = linksIn(folder).at(-1)!
    expect(mail).toMatch(/^To: stranger@example\.org\r?$/m)
    expect(mail).toContain('for the user name stranger')
    expect(mail).toContain(`${context.address}/reset-password/`)
    expect(statSync(join(folder, 'outbox')).mode & 0o077).toBe(0)
  })

  it('is 32 random bytes that only the email holds', async () => {
    const token = await tokenFor('stranger')
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
    const { rows } = await sql<{
      all: string
    }>`select string_agg(r::text, ' ') as all from password_reset r`.execute(context.db)
    expect(rows[0].all).not.toContain(token)
    expect(rows[0].all).not.toContain(Buffer.from(token, 'base64url').toString('hex'))
  })

  it('can be set for one hour', async () => {
    const token = await tokenFor('commissioner')
    const age = (minutes: number) =>
      sql`update password_reset set expires_at = created_at + interval '1 hour' - make_interval(mins => ${minutes})`.execute(
        context.db,
      )
    await age(59)
    expect((await check(token)).status).toBe(200)
    await age(61)
    expect((await check(token)).status).toBe(404)
    expect((await set(token, NEW)).status).toBe(404)
    expect(await login('commissioner', PASSWORD)).toBe(200)
  })

  it('is void once the email address or the user name of its owner changes', async () => {
    const [admin, { id }] = [await come('admin'), await come('volunteer')]
    const statusAfter = async (body: object) => {
      const token = await tokenFor('volunteer')
      expect((await admin('staff.edit', { params: { id }, body })).status).toBe(200)
      return (await check(token)).status
    }
    expect(await statusAfter({ phone: '0113 496 0000' })).toBe(200)
    expect(await statusAfter({ email: 'elsewhere@example.org' })).toBe(404)
    expect(await statusAfter({ username: 'renamed' })).toBe(404)
    await sql`update staff set username = 'volunteer' where id = ${id}`.execute(context.db)
  })

  it('is answered alike for those who are not known, who left, and who have no address', async () => {
    await sql`update staff set status = 3 where username = 'partnermanager'`.execute(context.db)
    await sql`update staff set email = null where username = 'hubmanager'`.execute(context.db)
    const before = linksIn(folder).length
    const names = ['nobody', 'partnermanager', 'hubmanager', 'admin']
    const replies = await Promise.all(
      names.map((username) => anyone('passwords.request', { body: { username } })),
    )
    expect(new Set(replies.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1)
    await expect.poll(() => linksIn(folder).length).toBe(before + 1)
    expect(linksIn(folder).at(-1)).toContain('To: admin@example.org')
  })

  it('cannot be reset by a person who was suspended meanwhile', async () => {
    const token = await tokenFor('stranger')
    await sql`update staff set status = 3 where username = 'stranger'`.execute(context.db)
    expect((await set(token, NEW)).status).toBe(404)
    await sql`update staff set status = 1 where username = 'stranger'`.execute(context.db)
  })

  it('sends at most five emails for a hundred requests, and replies alike for an unknown name', async () => {
    const before = linksIn(folder).length
    for (const username of ['admin', 'nobody at all']) {
      const statuses = await Promise.all(Array.from({ length: 100 }, () => ask(username)))
      expect([countOf(statuses, 204), countOf(statuses, 423)]).toEqual([5, 95])
    }
    await expect.poll(() => linksIn(folder).length).toBe(before + 5)
    // Who only asked for mails has not guessed at the password.
    expect(await login('admin', PASSWORD)).toBe(200)
  })

  it('is good whatever wrong and old links its office tries, which lock nobody out of signing in', async () => {
    const token = await tokenFor('admin')
    const guesses = Array.from({ length: 100 }, (_, i) => set(`${i}`.padStart(43, 'x'), NEW))
    const statuses = (await Promise.all(guesses)).map((r) => r.status)
    expect([countOf(statuses, 404), countOf(statuses, 423)]).toEqual([50, 50])
    expect(await login('commissioner', PASSWORD)).toBe(200)
    expect([(await check(token)).status, (await set(token, NEW)).status]).toEqual([200, 204])
    await sql`update staff set password_hash = (select password_hash from staff where username = 'commissioner')
      where username = 'admin'`.execute(context.db)
  })

  it('is set by one of a hundred at the same time', async () => {
    const token = await tokenFor('admin')
    const tries = await Promise.all(Array.from({ length: 100 }, (_, i) => set(token, `${NEW} ${i}`)))
    expect(
      countOf(
        tries.map((r) => r.status),
        204,
      ),
    ).toBe(1)
    const won = tries.findIndex(({ status }) => status === 204)
    await sql`delete from access_attempt`.execute(context.db)
    expect(await login('admin', `${NEW} ${won}`)).toBe(200)
  })

  it('unlocks a person who was locked out by wrong passwords', async () => {
    for (let i = 0; i < 6; i++) await login('stranger', `guess ${i}`)
    expect(await login('stranger', PASSWORD)).toBe(423)
    expect((await set(await tokenFor('stranger'), NEW)).status).toBe(204)
    expect(await login('stranger', NEW)).toBe(200)
  })

  it('cannot be asked for or set from another site', async () => {
    const headers = { 'x-csrftoken': 'made up' }
    const body = { username: 'admin' }
    expect((await anyone('passwords.request', { body, headers })).status).toBe(403)
    const given = { params: { token: 'x' }, body: { password: NEW }, headers }
    expect((await anyone('passwords.set', given)).status).toBe(403)
  })
})

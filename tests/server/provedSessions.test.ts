import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { offerSetup } from '../../src/server/access/setup.ts'
import {
  type Caller,
  PASSWORD,
  signIn,
  startSecondServer,
  startTestServer,
  type TestContext,
} from './context.ts'
import { startOpenidProvider, type TestProvider } from './openidProvider.ts'
import { signOnBrowser } from './signOnBrowser.ts'

const KEY = { ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64') }
const HUB_MANAGER = 7

let council: TestProvider
let context: TestContext
let admin: Caller
let providers: Record<string, string>
beforeAll(async () => {
  council = await startOpenidProvider('council')
  providers = { ...KEY, OPENID_PROVIDERS: JSON.stringify([council.setting]) }
  context = await startTestServer({ ...providers, SECOND_FACTOR_ROLES: 'HubManager' })
  council.register(context.address)
  admin = await context.as('admin')
})
afterAll(async () => {
  await context?.end()
  await council?.end()
})
beforeEach(async () => {
  await sql`truncate authenticator, recovery_code, sign_in_step, known_device, openid_link cascade`.execute(
    context.db,
  )
  await sql`update staff set groups = '{4}' where username = 'advocate'`.execute(context.db)
})

const anew = (username: string) => signIn(context.contract, context.address, username)
const statusOf = async (caller: Caller) => (await caller('auth.me')).status
/** Gives the advocate the role that needs a second factor. */
const promote = async () => {
  const { id } = await context.as('advocate')
  const body = { groups: [4, HUB_MANAGER] }
  expect((await admin('staff.edit', { params: { id }, body })).status).toBe(200)
}
const codeOf = (secret: string) => new TOTP({ secret: secret.replaceAll(' ', '') }).generate()
/** Sets up an app in a session, and makes its code usable again. */
async function setUp(caller: Caller): Promise<string> {
  const { secret } = (await caller('secondFactor.begin')).body
  const { status } = await caller('secondFactor.confirm', { body: { code: codeOf(secret) } })
  expect(status).toBe(200)
  await sql`update authenticator set last_step = 0`.execute(context.db)
  return secret
}
/** A new subject of the council who is linked with a person, signed in by it. */
async function signOn(username: string, at: TestContext = context): Promise<Caller> {
  const subject = `of ${username} ${Math.random()}`
  council.accounts.set(subject, {})
  await sql`insert into openid_link (issuer, subject, staff) select ${council.issuer}, ${subject}, id from staff
    where username = ${username}`.execute(at.db)
  const browser = await signOnBrowser(at)
  return browser.callerOf(await browser.signOn(subject))
}

describe('a person who gets a role that needs a second factor', () => {
  it('loses the sessions that began by the password alone, and signs in with a factor', async () => {
    const advocate = await anew('advocate')
    await promote()
    expect(await statusOf(advocate)).toBe(401)
    expect((await admin('staff.sessions', { params: { id: advocate.id } })).body.data).toEqual([])
    const { body } = await (await anew(''))('auth.login', {
      body: { username: 'advocate', password: PASSWORD },
    })
    expect([body.second_factor, body.key]).toEqual(['set up', undefined])
  })

  it('keeps a session in which they set up a factor, or proved by it who they are', async () => {
    const first = await anew('advocate')
    const second = await anew('advocate')
    const secret = await setUp(first)
    await sql`update session set proved_by = 'password' where staff = ${second.id}`.execute(context.db)
    expect((await second('secondFactor.prove', { body: { code: codeOf(secret) } })).status).toBe(204)
    await promote()
    expect([await statusOf(first), await statusOf(second)]).toEqual([401, 200])
  })

  it('keeps a session that began by a factor, in a trusted browser, or by a provider', async () => {
    const secret = await setUp(await anew('advocate'))
    const browser = await anew('')
    const login = (cookie = '') =>
      browser('auth.login', {
        body: { username: 'advocate', password: PASSWORD },
        headers: { cookie: `${browser.headers.cookie}; ${cookie}` },
      })
    const { token } = (await login()).body
    const code = codeOf(secret)
    const byCode = await browser('secondFactor.verify', { body: { token, code, remember: 'yes' } })
    const device = byCode.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const trusted = await login(device.join('; '))
    const there = await signOn('advocate')
    await promote()
    for (const { body } of [byCode, trusted]) {
      const headers = { authorization: `Token ${body.key}` }
      expect((await browser('auth.me', { headers })).status).toBe(200)
    }
    expect(await statusOf(there)).toBe(200)
  })
})

describe('a server with an emergency account', () => {
  it('ends sessions that others began by a password, and keeps those by a provider', async () => {
    const [advocate, emergency, there] = [await anew('advocate'), await anew('admin'), await signOn('hub')]
    const settings = { ...providers, EMERGENCY_ACCOUNT: 'Admin' }
    const strict = await startSecondServer(context, settings)
    try {
      const at = async ({ key }: Caller) => {
        const headers = { authorization: `Token ${key}` }
        return (await fetch(`${strict.address}/api/staff/me/info`, { headers })).status
      }
      expect([await at(advocate), await at(emergency), await at(there)]).toEqual([401, 200, 200])
      expect(await statusOf(advocate)).toBe(200)
    } finally {
      await strict.end()
    }
  })
})

describe('the first administrator', () => {
  it('gets no session by the link alone where their role needs a second factor', async () => {
    const first = await startTestServer({ ...KEY, SECOND_FACTOR_ROLES: 'SystemAdministrator' })
    try {
      await sql`truncate staff cascade`.execute(first.db)
      const token = (await offerSetup(first.db))!
      const names = { username: 'first', first_name: 'Ann', last_name: 'Example' }
      const anyone = await first.as()
      const { status, body } = await anyone('auth.setup', {
        body: { ...names, token, password: 'three plain words' },
      })
      expect([status, body.second_factor, body.key]).toEqual([200, 'set up', undefined])
      const { secret } = (await anyone('secondFactor.enrol', { body: { token: body.token } })).body
      const done = await anyone('secondFactor.verify', {
        body: { token: body.token, code: codeOf(secret), remember: 'no' },
      })
      expect([done.status, done.body.user.groups]).toEqual([200, [1]])
    } finally {
      await first.end()
    }
  })
})

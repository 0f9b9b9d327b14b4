import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../temporaryFolder.ts'
import { type Caller, PASSWORD, type Reply, signIn, startTestServer, type TestContext } from './context.ts'
import { outboxOf } from './mails.ts'

const DATA_DIR = temporaryFolder('second-factor-')

let context: TestContext
let admin: Caller
beforeAll(async () => {
  context = await startTestServer({
    DATA_DIR,
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    SECOND_FACTOR_ROLES: 'HubManager',
  })
  admin = await context.as('admin')
})
afterAll(() => context?.end())
beforeEach(() =>
  sql`truncate access_attempt, authenticator, recovery_code, sign_in_step, known_device`.execute(context.db),
)

const nobody = () => signIn(context.contract, context.address, '')
const login = async (username: string, who?: Caller, cookie?: string) =>
  (who ?? (await nobody()))('auth.login', {
    body: { username, password: PASSWORD },
    ...(cookie && { headers: { cookie } }),
  })
/** The code that an app shows whose clock is so many seconds off. */
const codeOf = (secret: string, seconds = 0) =>
  new TOTP({ secret: secret.replaceAll(' ', '') }).generate({ timestamp: Date.now() + seconds * 1000 })
/** Makes codes of this moment usable again. */
const later = () => sql`update authenticator set last_step = 0`.execute(context.db)
const outcomeOf = ({ status, body }: Reply) => [status, body.code ?? body.second_factor ?? 'session']

/** A person who has set up an app: its secret and the recovery codes. */
async function withApp(username: string): Promise<{ caller: Caller; secret: string; codes: string[] }> {
  const caller = await context.as(username)
  const { secret } = (await caller('secondFactor.begin')).body
  const { status, body } = await caller('secondFactor.confirm', { body: { code: codeOf(secret) } })
  expect([status, body.recovery_codes.length]).toEqual([200, 10])
  await later()
  return { caller, secret, codes: body.recovery_codes }
}
const verify = async (token: string, code: string, remember = 'no', who?: Caller) =>
  (who ?? (await nobody()))('secondFactor.verify', { body: { token, code, remember } })

describe('a person with an authenticator app', () => {
  it('gets no session by the password, and one by a code that counts once', async () => {
    const { secret } = await withApp('advocate')
    const first = await login('advocate')
    expect([outcomeOf(first), first.body.key]).toEqual([[200, 'code'], undefined])
    const code = codeOf(secret)
    const signedIn = await verify(first.body.token, code)
    expect([signedIn.status, signedIn.body.user.username, signedIn.body.recovery_codes]).toEqual([
      200,
      'advocate',
      undefined,
    ])
    const second = await login('advocate')
    expect((await verify(second.body.token, code)).body).toEqual({
      code: ['Code is wrong, or was used already'],
    })
    const { rows } = await sql<{
      all: string
    }>`select string_agg(a::text, ' ') as all from authenticator a`.execute(context.db)
    expect(rows[0].all).not.toContain(secret.replaceAll(' ', ''))
  })

  it.each([
    [-150, 200],
    [-120, 200],
    [0, 200],
    [120, 200],
    [-240, 400],
    [240, 400],
  ])('whose clock is %s seconds off gets a %s', async (seconds, status) => {
    const { secret } = await withApp('advocate')
    const { token } = (await login('advocate')).body
    expect((await verify(token, codeOf(secret, seconds))).status).toBe(status)
  })

  it('is asked for no code in a browser that they trust, for thirty days and until they set it up anew', async () => {
    const { secret } = await withApp('advocate')
    const browser = await nobody()
    const cookieOf = ({ headers }: Reply) =>
      [browser.headers.cookie, ...headers.getSetCookie().map((one) => one.split(';')[0])].join('; ')
    const { token } = (await login('advocate', browser)).body
    const trusted = cookieOf(await verify(token, codeOf(secret), 'yes', browser))
    expect(outcomeOf(await login('advocate', browser))).toEqual([200, 'code'])
    const again = await login('advocate', browser, trusted)
    expect(outcomeOf(again)).toEqual([200, 'session'])
    const next = cookieOf(again)
    await sql`update known_device set trusted_until = trusted_until - interval '30 days'`.execute(context.db)
    expect(outcomeOf(await login('advocate', browser, next))).toEqual([200, 'code'])
  })

  it('signs in by each recovery code once', async () => {
    const { codes } = await withApp('advocate')
    const typed = codes[0].toUpperCase().replaceAll('-', ' ')
    expect((await verify((await login('advocate')).body.token, typed)).status).toBe(200)
    expect((await verify((await login('advocate')).body.token, codes[0])).status).toBe(400)
    expect((await verify((await login('advocate')).body.token, codes[1])).status).toBe(200)
    const { rows } = await sql`select 1 from audit where action = 'use recovery code'`.execute(context.db)
    expect(rows).toHaveLength(2)
  })

  it('has as many guesses as at a password, and the password takes none of them back', async () => {
    await withApp('advocate')
    const { token } = (await login('advocate')).body
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await verify(token, '000000')).status)
    expect(statuses.filter((status) => status === 400)).toHaveLength(4)
    expect((await login('advocate')).status).toBe(423)
  })

  it('cannot use the step of somebody else, nor one that has ended', async () => {
    const { secret } = await withApp('advocate')
    const other = await withApp('volunteer')
    const { token } = (await login('volunteer')).body
    expect((await verify(token, codeOf(secret))).status).toBe(400)
    expect((await verify(token, codeOf(other.secret))).status).toBe(200)
    await later()
    expect(outcomeOf(await verify(token, codeOf(other.secret)))).toEqual([400, 'signOnExpired'])
    const late = (await login('volunteer')).body.token
    await sql`update sign_in_step set created_at = now() - interval '11 minutes'`.execute(context.db)
    expect(outcomeOf(await verify(late, codeOf(other.secret)))).toEqual([400, 'signOnExpired'])
  })

  it('removes it themself', async () => {
    const { caller } = await withApp('advocate')
    expect((await caller('secondFactor.remove')).status).toBe(204)
    expect(outcomeOf(await login('advocate'))).toEqual([200, 'session'])
  })

  it('who has lost it is helped by an administrator, and both get an email', async () => {
    const partner = await withApp('partner')
    await sql`update staff set email = username || '@example.org' where username in ('partner', 'admin')`.execute(
      context.db,
    )
    expect((await admin('secondFactor.reset', { params: { id: partner.caller.id } })).status).toBe(200)
    expect((await partner.caller('auth.me')).status).toBe(401)
    expect(outcomeOf(await login('partner'))).toEqual([200, 'session'])
    const resetMails = () => outboxOf(DATA_DIR, 'A second factor was reset')
    await expect.poll(() => resetMails().length).toBe(2)
    for (const address of ['partner@example.org', 'admin@example.org'])
      expect(resetMails().some((mail) => mail.includes(`To: ${address}`))).toBe(true)
  })
})

describe('a role that needs a second factor', () => {
  it('lets nobody in before an app is set up, and then gives recovery codes', async () => {
    const first = await login('hubmanager')
    expect([outcomeOf(first), first.body.key]).toEqual([[200, 'set up'], undefined])
    const { token } = first.body
    const who = await nobody()
    const { body } = await who('secondFactor.enrol', { body: { token } })
    expect(body.address).toContain('otpauth://totp/')
    expect(body.qr.path).toMatch(/^M/)
    expect((await verify(token, '000000')).status).toBe(400)
    const signedIn = await verify(token, codeOf(body.secret))
    expect([signedIn.body.user.username, signedIn.body.recovery_codes.length]).toEqual(['hubmanager', 10])
    await later()
    expect(outcomeOf(await login('hubmanager'))).toEqual([200, 'code'])
  })

  it('keeps people from removing theirs', async () => {
    const first = (await login('hubmanager')).body
    const who = await nobody()
    const { secret } = (await who('secondFactor.enrol', { body: { token: first.token } })).body
    const { key } = (await verify(first.token, codeOf(secret))).body
    const reply = await who('secondFactor.remove', { headers: { authorization: `Token ${key}` } })
    expect(outcomeOf(reply)).toEqual([409, 'factorNeeded'])
  })
})

import { sql } from 'kysely'
import { TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeLink } from '../../src/server/access/resetLink.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import {
  type Caller,
  PASSWORD,
  type Reply,
  signIn,
  startSecondServer,
  startTestServer,
  type TestContext,
} from './context.ts'
import { outboxOf } from './mails.ts'
import { softAuthenticator, text } from './softAuthenticator.ts'

const DATA_DIR = temporaryFolder('second-factor-')
const ADDRESS = 'https://casework.example.org'
const SETTINGS = {
  DATA_DIR,
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  SECOND_FACTOR_ROLES: 'HubManager',
  PUBLIC_URL: ADDRESS,
}

let context: TestContext
let admin: Caller
beforeAll(async () => {
  context = await startTestServer(SETTINGS)
  admin = await context.as('admin')
})
afterAll(() => context?.end())
beforeEach(() =>
  sql`truncate access_attempt, authenticator, passkey, passkey_challenge, recovery_code, sign_in_step, known_device`.execute(
    context.db,
  ),
)

/** A person in a new session: a new password and a reset end those there are. */
const anew = (username: string) => signIn(context.contract, context.address, username)
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
  const caller = await anew(username)
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

  it('has as many guesses as at a password, and neither the password nor a new one takes them back', async () => {
    const { caller, secret } = await withApp('advocate')
    const { token } = (await login('advocate')).body
    const statuses = []
    for (let i = 0; i < 6; i++) statuses.push((await verify(token, '000000')).status)
    expect(statuses).toEqual([400, 400, 400, 400, 400, 423])
    const link = await makeLink(context.db, caller.id)
    const set = await (await nobody())('passwords.set', {
      params: { token: link },
      body: { password: PASSWORD },
    })
    expect(set.status).toBe(204)
    expect((await verify((await login('advocate')).body.token, codeOf(secret))).status).toBe(423)
  })

  it('cannot go on with a sign-in that began by an older password', async () => {
    const { caller, secret } = await withApp('advocate')
    const { token } = (await login('advocate')).body
    const link = await makeLink(context.db, caller.id)
    await (await nobody())('passwords.set', { params: { token: link }, body: { password: PASSWORD } })
    expect(outcomeOf(await verify(token, codeOf(secret)))).toEqual([400, 'signOnExpired'])
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

type SoftAuthenticator = ReturnType<typeof softAuthenticator>

/** Adds a passkey of an authenticator in the session of a person. */
async function addTo(caller: Caller, authenticator = softAuthenticator(ADDRESS), forged = {}) {
  const { options } = (await caller('passkeys.begin')).body
  const body = { name: 'Work laptop', credential: authenticator.make(options, forged) }
  return caller('passkeys.add', { body })
}
/** A person who has a passkey, and its authenticator. */
async function withPasskey(username: string) {
  const caller = await anew(username)
  const authenticator = softAuthenticator(ADDRESS)
  const { status, body } = await addTo(caller, authenticator)
  expect([status, body.recovery_codes.length]).toEqual([200, 10])
  return { caller, authenticator, codes: body.recovery_codes as string[] }
}
/** The step of a sign-in by the right password, and the options for its passkey. */
async function stepOf(username: string, who?: Caller) {
  const { token } = (await login(username, who)).body
  const { options } = (await (who ?? (await nobody()))('passkeys.askAtSignIn', { body: { token } })).body
  return { token, options }
}
const present = async (token: string, credential: object, who?: Caller) =>
  (who ?? (await nobody()))('passkeys.verify', { body: { token, credential, remember: 'no' } })
const actionsOf = async (staff: number) => {
  const { rows } = await sql<{ action: string }>`select action from audit where record = ${staff}
    and entity = 'staff' and action like '%passkey%' order by id`.execute(context.db)
  return rows.map(({ action }) => action)
}

describe('a person with a passkey', () => {
  it('gets no session by the password, and one by the passkey', async () => {
    const { authenticator } = await withPasskey('advocate')
    const first = await login('advocate')
    expect(first.body).toMatchObject({ second_factor: 'code', authenticator: false, passkey: true })
    expect(first.body.key).toBeUndefined()
    const { token, options } = await stepOf('advocate')
    expect(options).toMatchObject({ rpId: 'casework.example.org', userVerification: 'preferred' })
    expect(options.allowCredentials).toEqual([
      { id: authenticator.id, transports: ['internal'], type: 'public-key' },
    ])
    const signedIn = await present(token, authenticator.sign(options, { isVerified: false }))
    expect([signedIn.status, signedIn.body.user.username]).toEqual([200, 'advocate'])
  })

  it('names it and removes it, which the audit has, and gets an email about it', async () => {
    const { caller } = await withPasskey('volunteer')
    await sql`update staff set email = 'volunteer@example.org' where id = ${caller.id}`.execute(context.db)
    const list = async () => (await caller('passkeys.mine')).body.data
    const [{ id, name, used_at }] = await list()
    expect([name, used_at]).toEqual(['Work laptop', null])
    const renamed = await caller('passkeys.rename', { params: { id }, body: { name: 'Blue key' } })
    expect([renamed.status, (await list())[0].name]).toEqual([204, 'Blue key'])
    const stranger = await anew('partner')
    for (const [call, body] of [['rename', { name: 'Mine' }], ['remove']] as const)
      expect((await stranger(`passkeys.${call}`, { params: { id }, body })).status).toBe(404)
    expect((await caller('passkeys.remove', { params: { id } })).status).toBe(204)
    expect(outcomeOf(await login('volunteer'))).toEqual([200, 'session'])
    expect(await actionsOf(caller.id)).toEqual(['add passkey', 'rename passkey', 'remove passkey'])
    await expect.poll(() => outboxOf(DATA_DIR, 'A passkey was removed').length).toBe(1)
  })

  it('who has lost it signs in by a recovery code, by an app, or after a reset', async () => {
    const { caller, codes } = await withPasskey('advocate')
    expect((await verify((await login('advocate')).body.token, codes[0])).status).toBe(200)
    const { secret } = (await caller('secondFactor.begin')).body
    // An app that is not confirmed yet is no factor, and a recovery code confirms none.
    expect((await verify((await login('advocate')).body.token, codeOf(secret))).status).toBe(400)
    expect((await caller('secondFactor.confirm', { body: { code: codes[1] } })).status).toBe(400)
    const confirmed = await caller('secondFactor.confirm', { body: { code: codeOf(secret) } })
    expect(confirmed.body).toEqual({ recovery_codes: [] })
    await later()
    const { body } = await login('advocate')
    expect([body.authenticator, body.passkey]).toEqual([true, true])
    expect((await verify(body.token, codeOf(secret))).status).toBe(200)
    expect((await admin('secondFactor.reset', { params: { id: caller.id } })).status).toBe(200)
    expect(outcomeOf(await login('advocate'))).toEqual([200, 'session'])
  })

  it('who removes one of two factors keeps the other, and no trusted browser', async () => {
    const { caller, authenticator } = await withPasskey('advocate')
    const { secret } = (await caller('secondFactor.begin')).body
    await caller('secondFactor.confirm', { body: { code: codeOf(secret) } })
    const browser = await nobody()
    const { token, options } = await stepOf('advocate', browser)
    const body = { token, credential: authenticator.sign(options), remember: 'yes' }
    const { headers } = await browser('passkeys.verify', { body })
    const cookies = headers.getSetCookie().map((one) => one.split(';')[0])
    const cookie = [browser.headers.cookie, ...cookies].join('; ')
    expect((await caller('secondFactor.remove')).status).toBe(204)
    expect(outcomeOf(await login('advocate', browser, cookie))).toEqual([200, 'code'])
    expect((await caller('secondFactor.mine')).body).toMatchObject({
      is_on: false,
      has_passkey: true,
      recovery_left: 10,
    })
  })

  it('lets nobody who knows only the password add another factor', async () => {
    await withPasskey('advocate')
    const { token } = (await login('advocate')).body
    const who = await nobody()
    expect(outcomeOf(await who('secondFactor.enrol', { body: { token } }))).toEqual([409, 'taken'])
    const { options } = await stepOf('advocate', who)
    const mine = softAuthenticator(ADDRESS)
    expect(outcomeOf(await present(token, mine.make(options)))).toEqual([400, 'passkeyRefused'])
  })
})

describe('the answer of an authenticator', () => {
  it.each<[string, Parameters<SoftAuthenticator['sign']>[1]]>([
    ['made for another page', { origin: 'https://casework.example.com' }],
    ['made for the page of a neighbouring host', { origin: 'https://evil.casework.example.org' }],
    ['made for the page without TLS', { origin: 'http://casework.example.org' }],
    ['made for another host', { host: 'example.com' }],
    ['to a challenge of one’s own', { challenge: Buffer.alloc(32, 1).toString('base64url') }],
    ['that was made to add a passkey', { type: 'webauthn.create' }],
    ['of a passkey that nobody has', { id: Buffer.alloc(32, 1).toString('base64url') }],
  ])('is refused: %s', async (_, forged) => {
    const { authenticator } = await withPasskey('advocate')
    const { token, options } = await stepOf('advocate')
    expect(outcomeOf(await present(token, authenticator.sign(options, forged)))).toEqual([
      400,
      'passkeyRefused',
    ])
    const { rows } = await sql`select 1 from access_log where username = 'advocate' and not succeeded
      and path_info = '/api/sign_in/passkey'`.execute(context.db)
    expect(rows.length).toBeGreaterThan(0)
  })

  it('is refused for the passkey of somebody else, whatever it claims to be', async () => {
    const [mine, theirs] = [await withPasskey('advocate'), await withPasskey('volunteer')]
    const { token, options } = await stepOf('advocate')
    for (const id of [undefined, mine.authenticator.id]) {
      const reply = await present(token, theirs.authenticator.sign(options, { id }))
      expect(outcomeOf(reply)).toEqual([400, 'passkeyRefused'])
    }
  })

  it('counts once, for the challenge of its own sign-in, and for five minutes', async () => {
    const { authenticator } = await withPasskey('advocate')
    const [first, second] = [await stepOf('advocate'), await stepOf('advocate')]
    const answer = authenticator.sign(first.options)
    expect(outcomeOf(await present(second.token, answer))).toEqual([400, 'passkeyRefused'])
    expect((await present(first.token, answer)).status).toBe(200)
    expect(outcomeOf(await present(first.token, answer))).toEqual([400, 'signOnExpired'])
    // A failed answer uses its challenge up too.
    const third = await stepOf('advocate')
    await present(third.token, authenticator.sign(third.options, { origin: 'https://example.com' }))
    expect(outcomeOf(await present(third.token, authenticator.sign(third.options)))).toEqual([
      400,
      'passkeyRefused',
    ])
    const late = await stepOf('advocate')
    await sql`update passkey_challenge set created_at = now() - interval '6 minutes'`.execute(context.db)
    expect(outcomeOf(await present(late.token, authenticator.sign(late.options)))).toEqual([
      400,
      'passkeyRefused',
    ])
  })

  it('is refused if its counter does not rise, as that of a copied key', async () => {
    const { authenticator } = await withPasskey('advocate')
    const use = async (counter: number) => {
      const { token, options } = await stepOf('advocate')
      return (await present(token, authenticator.sign(options, { counter }))).status
    }
    expect([await use(7), await use(7), await use(6), await use(8)]).toEqual([200, 400, 400, 200])
  })

  it('has as many tries as a password', async () => {
    const { authenticator } = await withPasskey('advocate')
    const { token } = await stepOf('advocate')
    const statuses = []
    for (let i = 0; i < 6; i++) {
      const { options } = (await (await nobody())('passkeys.askAtSignIn', { body: { token } })).body
      statuses.push((await present(token, authenticator.sign(options, { host: 'example.com' }))).status)
    }
    expect(statuses.at(-1)).toBe(423)
  })

  it('that adds a passkey is refused for another page, another session, a maker’s certificate and a second time', async () => {
    const [advocate, volunteer] = [await anew('advocate'), await anew('volunteer')]
    const certificate = Buffer.concat([
      ...[text('fmt'), text('packed'), text('attStmt'), Buffer.from([0xa1])],
      ...[text('x5c'), Buffer.from([0x81, 0x41, 0x00])],
    ])
    for (const forged of [
      { origin: 'https://example.com' },
      { host: 'example.com' },
      { type: 'webauthn.get' },
      { attestation: certificate },
    ])
      expect(outcomeOf(await addTo(advocate, softAuthenticator(ADDRESS), forged))).toEqual([
        400,
        'passkeyRefused',
      ])
    const { options } = (await advocate('passkeys.begin')).body
    const authenticator = softAuthenticator(ADDRESS)
    const body = { name: 'Key', credential: authenticator.make(options) }
    expect(outcomeOf(await volunteer('passkeys.add', { body }))).toEqual([400, 'passkeyRefused'])
    expect((await advocate('passkeys.add', { body })).status).toBe(200)
    expect(outcomeOf(await advocate('passkeys.add', { body }))).toEqual([400, 'passkeyRefused'])
    // The same key again, also at the account of somebody else.
    expect((await addTo(volunteer, authenticator)).body).toHaveProperty('name')
    for (let i = 0; i < 10; i++) await addTo(volunteer)
    expect((await volunteer('passkeys.mine')).body.data).toHaveLength(10)
  })
})

describe('proving again who one is by a passkey', () => {
  it('needs that the authenticator verifies the person', async () => {
    const { caller, authenticator } = await withPasskey('advocate')
    await sql`update session set authenticated_at = now() - interval '1 hour' where staff = ${caller.id}`.execute(
      context.db,
    )
    const [{ id }] = (await caller('passkeys.mine')).body.data
    const remove = () => caller('passkeys.remove', { params: { id } })
    const refused = await remove()
    expect([outcomeOf(refused), refused.body.passkey]).toEqual([[403, 'step_up'], true])
    const prove = async (forged = {}) => {
      const { options } = (await caller('passkeys.ask')).body
      expect(options.userVerification).toBe('required')
      return caller('passkeys.prove', { body: { credential: authenticator.sign(options, forged) } })
    }
    expect(outcomeOf(await prove({ isVerified: false }))).toEqual([400, 'passkeyRefused'])
    expect(outcomeOf(await remove())).toEqual([403, 'step_up'])
    // A challenge of a sign-in, which asks for no verification, does not count here.
    const { options } = await stepOf('advocate')
    const body = { credential: authenticator.sign(options) }
    expect(outcomeOf(await caller('passkeys.prove', { body }))).toEqual([400, 'passkeyRefused'])
    expect((await prove()).status).toBe(204)
    expect((await remove()).status).toBe(204)
  })
})

describe('two servers on one database', () => {
  it('take a code and the challenge of a passkey once between them', async () => {
    const second = await startSecondServer(context, SETTINGS)
    try {
      const there = await signIn(context.contract, second.address, '')
      const { secret } = await withApp('advocate')
      const code = codeOf(secret)
      const tokens = [(await login('advocate')).body.token, (await login('advocate')).body.token]
      expect((await verify(tokens[0], code, 'no', there)).status).toBe(200)
      expect((await verify(tokens[1], code)).status).toBe(400)
      const { authenticator } = await withPasskey('volunteer')
      const { token, options } = await stepOf('volunteer')
      const answer = authenticator.sign(options)
      const replies = await Promise.all([present(token, answer), present(token, answer, there)])
      expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    } finally {
      await second.end()
    }
  })
})

describe('a role that needs a second factor', () => {
  it('has it in a passkey, which is made in the middle of the sign-in and may not be removed', async () => {
    const first = await login('hubmanager')
    expect(first.body).toMatchObject({ second_factor: 'set up', authenticator: true, passkey: true })
    const { token, options } = await stepOf('hubmanager')
    const authenticator = softAuthenticator(ADDRESS)
    const who = await nobody()
    const signedIn = await present(token, authenticator.make(options), who)
    expect([signedIn.status, signedIn.body.recovery_codes.length]).toEqual([200, 10])
    const as = { headers: { authorization: `Token ${signedIn.body.key}` } }
    const [{ id }] = (await who('passkeys.mine', as)).body.data
    expect(outcomeOf(await who('passkeys.remove', { ...as, params: { id } }))).toEqual([409, 'factorNeeded'])
    expect((await who('passkeys.mine', as)).body.data).toHaveLength(1)
    const again = await stepOf('hubmanager')
    expect((await present(again.token, authenticator.sign(again.options))).status).toBe(200)
  })

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

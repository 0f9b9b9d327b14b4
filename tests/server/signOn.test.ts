import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isTooOld } from '../../src/server/access/openid/authorization.ts'
import { makeLink } from '../../src/server/access/resetLink.ts'
import { sendResetTo } from '../../src/server/access/resetMail.ts'
import { callerById, callersWho } from '../../src/server/access/session.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { renewSignOns } from '../../src/server/features/account/renewSignOns.ts'
import {
  type Caller,
  PASSWORD,
  type Reply,
  signIn,
  startSecondServer,
  startTestServer,
  type TestContext,
} from './context.ts'
import { startOpenidProvider, type TestProvider } from './openidProvider.ts'
import { signOnBrowser } from './signOnBrowser.ts'

const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64')
const EVENT = 'http://schemas.openid.net/event/backchannel-logout'

let council: TestProvider
let hospital: TestProvider
let context: TestContext
let admin: Caller
let settings: Record<string, string>
beforeAll(async () => {
  council = await startOpenidProvider('council')
  hospital = await startOpenidProvider('hospital')
  settings = { OPENID_PROVIDERS: JSON.stringify([council.setting, hospital.setting]), ENCRYPTION_KEY }
  context = await startTestServer(settings)
  council.register(context.address)
  hospital.register(context.address)
  admin = await context.as('admin')
})
afterAll(async () => {
  await context?.end()
  await council?.end()
  await hospital?.end()
})
beforeEach(async () => {
  council.accounts.clear()
  hospital.accounts.clear()
  await sql`truncate openid_link, openid_unknown, openid_request, openid_session, openid_logout_token, access_attempt cascade`.execute(
    context.db,
  )
  await sql`update staff set refused_at = null`.execute(context.db)
  await sql`delete from lookup where kind = 'sign_on_group'`.execute(context.db)
})

const browse = (provider = 'council') => signOnBrowser(context, provider)
/** A new subject of the council who is linked with a person. */
async function linked(username: string, groups?: string[]): Promise<string> {
  const subject = `of ${username} ${Math.random()}`
  council.accounts.set(subject, { name: `${username} there`, groups })
  await sql`insert into openid_link (issuer, subject, staff) select ${council.issuer}, ${subject}, id from staff
    where username = ${username}`.execute(context.db)
  return subject
}
const isLive = async (caller: Caller) => (await caller('auth.me')).status === 200
const codeOf = ({ status, body }: Reply) => [status, body.code]

/** A logout token of the council. */
const tokenOf = (more: object) =>
  council.sign({
    ...{ iss: council.issuer, aud: 'casework', iat: Math.floor(Date.now() / 1000) },
    ...{ jti: `${Math.random()}`, events: { [EVENT]: {} } },
    ...more,
  })
const logOut = async (token: string, address = context.address): Promise<Reply> => {
  const reply = await fetch(`${address}/sign-on/council/back-channel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  })
  const text = await reply.text()
  return { status: reply.status, body: text ? JSON.parse(text) : undefined, headers: reply.headers }
}

describe('signing in by a provider', () => {
  it('begins a session as any other for the person of the subject', async () => {
    const browser = await browse()
    const reply = await browser.signOn(await linked('advocate'))
    expect([reply.status, reply.body.outcome, reply.body.user.username]).toEqual([
      200,
      'signed in',
      'advocate',
    ])
    const advocate = browser.callerOf(reply)
    expect((await advocate('sessions.mine')).body.data).toContainEqual(
      expect.objectContaining({ is_current: true }),
    )
    const { rows } = await sql<{
      secrets: string
    }>`select string_agg(l::text, ' ') || (select string_agg(o::text, ' ')
      from openid_session o) as secrets from openid_link l`.execute(context.db)
    expect(rows[0].secrets).not.toContain('eyJ')
  })

  it('is refused to an unknown subject, whatever name and email address it has, until an administrator identifies it', async () => {
    await sql`update staff set email = 'volunteer@example.org' where username = 'volunteer'`.execute(
      context.db,
    )
    council.accounts.set('v1', {
      name: 'Vol Example',
      preferred_username: 'volunteer',
      email: 'volunteer@example.org',
      email_verified: true,
    })
    const browser = await browse()
    expect(codeOf(await browser.signOn('v1'))).toEqual([403, 'signOnUnknown'])
    const unknown = (await admin('signOnLinks.unknown')).body.data
    expect(unknown).toEqual([
      expect.objectContaining({ subject: 'v1', name: 'Vol Example', issuer: council.issuer }),
    ])
    const { id } = await context.as('volunteer')
    const decided = await admin('signOnLinks.decide', { params: { id: unknown[0].id }, body: { person: id } })
    expect(decided.status).toBe(204)
    expect((await browser.signOn('v1')).body.user.id).toBe(id)
    const { rows } = await sql`select action from audit where entity = 'staff' and record = ${id}
      and action = 'connect sign-on'`.execute(context.db)
    expect(rows).toHaveLength(1)
  })

  it('is refused to people who are retired here', async () => {
    const subject = await linked('stranger')
    await sql`update staff set status = 2 where username = 'stranger'`.execute(context.db)
    expect(codeOf(await (await browse()).signOn(subject))).toEqual([403, 'signOnClosed'])
    await sql`update staff set status = 1 where username = 'stranger'`.execute(context.db)
  })
})

describe('connecting an account of one’s own', () => {
  it('needs the session that asked for it, and its confirmation', async () => {
    council.accounts.set('hub there', { name: 'Hub There' })
    const hub = await context.as('hub')
    const browser = await browse()
    const { body } = await browser.signOn('hub there', 'connect', hub)
    expect(body).toEqual({ outcome: 'connect', id: expect.any(Number), name: 'Hub There' })
    const connect = (who: Caller) => who('signOnLinks.connect', { params: { id: body.id } })
    const other = await signIn(context.contract, context.address, 'hub')
    expect(codeOf(await connect(await context.as('advocate')))).toEqual([400, 'signOnExpired'])
    expect(codeOf(await connect(other))).toEqual([400, 'signOnExpired'])
    expect((await connect(hub)).status).toBe(204)
    expect((await browser.signOn('hub there')).body.user.id).toBe(hub.id)
    const { data } = (await hub('signOnLinks.mine')).body
    expect(data.map((row: { is_connected: boolean }) => row.is_connected)).toEqual([true, false])
  })

  it('is refused for an account that is somebody else’s', async () => {
    const subject = await linked('advocate')
    expect(codeOf(await (await browse()).signOn(subject, 'connect', await context.as('hub')))).toEqual([
      409,
      'signOnLinked',
    ])
  })

  it('is undone by oneself or an administrator, which ends the sessions that it began', async () => {
    const browser = await browse()
    const partner = browser.callerOf(await browser.signOn(await linked('partner')))
    const [{ id }] = (await admin('signOnLinks.ofStaff', { params: { id: partner.id } })).body.data
    expect((await (await context.as('hub'))('signOnLinks.disconnect', { params: { id } })).status).toBe(404)
    expect((await admin('signOnLinks.unlink', { params: { id } })).status).toBe(204)
    expect(await isLive(partner)).toBe(false)
  })
})

describe('a person with two accounts at one provider', () => {
  it('sees both and disconnects each', async () => {
    for (const _ of [1, 2]) await linked('partner')
    const partner = await context.as('partner')
    const mine = async () => (await partner('signOnLinks.mine')).body.data
    const rows = (await mine()).filter((row: { is_connected: boolean }) => row.is_connected)
    expect(rows.map(({ provider }: { provider: string }) => provider)).toEqual(['council', 'council'])
    for (const { id } of rows)
      expect((await partner('signOnLinks.disconnect', { params: { id } })).status).toBe(204)
    expect((await mine()).map((row: { is_connected: boolean }) => row.is_connected)).toEqual([false, false])
  })
})

describe('an answer of a provider', () => {
  it('counts once, and only in the browser that asked', async () => {
    const subject = await linked('advocate')
    const [browser, thief] = [await browse(), await browse()]
    const { body } = await browser.start()
    const answer = await browser.visit(body.url, subject)
    expect(codeOf(await thief.finish(answer))).toEqual([400, 'signOnExpired'])
    expect((await browser.finish(answer)).status).toBe(200)
    expect(codeOf(await browser.finish(answer))).toEqual([400, 'signOnExpired'])
  })

  it('is refused with the code of another sign-in', async () => {
    const [mine, theirs] = [await linked('advocate'), await linked('manager')]
    const [browser, victim] = [await browse(), await browse()]
    const answer = await browser.visit((await browser.start()).body.url, mine)
    const stolen = await victim.visit((await victim.start()).body.url, theirs)
    answer.searchParams.set('code', stolen.searchParams.get('code')!)
    expect(codeOf(await browser.finish(answer))).toEqual([401, 'signOnRefused'])
  })

  it('is refused if it names another issuer, or none', async () => {
    const subject = await linked('advocate')
    for (const issuer of [hospital.issuer, '']) {
      const browser = await browse()
      const answer = await browser.visit((await browser.start()).body.url, subject)
      if (issuer) answer.searchParams.set('iss', issuer)
      else answer.searchParams.delete('iss')
      expect(codeOf(await browser.finish(answer))).toEqual([401, 'signOnRefused'])
    }
  })

  it('is refused at the address of another provider', async () => {
    const subject = await linked('advocate')
    const [browser, other] = [await browse(), await browse('hospital')]
    const answer = await browser.visit((await browser.start()).body.url, subject)
    expect(codeOf(await other.finish(answer))).toEqual([400, 'signOnExpired'])
  })

  it('is refused if the person signed in there longer ago than a session lasts', () => {
    const now = Math.floor(Date.now() / 1000)
    const ofHours = readSettings({ SESSION_HOURS: '8' })
    const ages = [undefined, 0, 8 * 3600, 8 * 3600 + 180]
    const old = ages.map((age) => isTooOld({ authTime: age === undefined ? age : now - age }, ofHours))
    expect(old).toEqual([false, false, false, true])
  })

  it('of one provider is nobody’s subject of another', async () => {
    const subject = await linked('advocate')
    hospital.accounts.set(subject, { name: 'Somebody else' })
    expect(codeOf(await (await browse('hospital')).signOn(subject))).toEqual([403, 'signOnUnknown'])
  })
})

describe('signing out', () => {
  it('here gives the address at which one signs out there too', async () => {
    const browser = await browse()
    const subject = await linked('advocate')
    const advocate = browser.callerOf(await browser.signOn(subject))
    const { status, body } = await advocate('auth.logout')
    const url = new URL(body.url)
    expect([status, url.origin, url.searchParams.get('post_logout_redirect_uri')]).toEqual([
      200,
      council.issuer,
      `${context.address}/thanks`,
    ])
    expect(url.searchParams.get('id_token_hint')).toMatch(/^eyJ/)
    expect(await isLive(advocate)).toBe(false)
  })

  it('there ends the sessions that began there, and no others', async () => {
    const browser = await browse()
    const subject = await linked('advocate')
    const there = browser.callerOf(await browser.signOn(subject))
    const here = await signIn(context.contract, context.address, 'advocate')
    const reply = await logOut(await tokenOf({ sub: subject }))
    expect(reply.status).toBe(200)
    expect([await isLive(there), await isLive(here)]).toEqual([false, true])
    const { rows } = await sql`select refused_at, status from staff where username = 'advocate'`.execute(
      context.db,
    )
    expect(rows).toEqual([{ refused_at: null, status: 1 }])
  })

  it('is refused by a token that is forged, old, used, of others or of another kind', async () => {
    const browser = await browse()
    const subject = await linked('advocate')
    const advocate = browser.callerOf(await browser.signOn(subject))
    const stranger = await generateKeyPair('RS256')
    const claims = { iss: council.issuer, aud: 'casework', sub: subject, events: { [EVENT]: {} } }
    const secret = new TextEncoder().encode(council.setting.client_secret)
    const now = Math.floor(Date.now() / 1000)
    const tokens = [
      await council.sign({ ...claims, iat: now, jti: 'a' }, stranger.privateKey),
      new UnsecuredJWT({ ...claims, iat: now, jti: 'b' }).encode(),
      await new SignJWT({ ...claims, iat: now, jti: 'c' }).setProtectedHeader({ alg: 'HS256' }).sign(secret),
      await tokenOf({ sub: subject, aud: 'another client' }),
      await tokenOf({ sub: subject, iss: hospital.issuer }),
      await tokenOf({ sub: subject, iat: now - 1000 }),
      await tokenOf({ sub: subject, iat: now + 1000 }),
      await tokenOf({ sub: subject, nonce: 'of an ID token' }),
      await tokenOf({ sub: subject, events: {} }),
      await tokenOf({ sub: subject, jti: undefined }),
      await tokenOf({ sub: undefined }),
      'nonsense',
    ]
    for (const token of tokens) expect(codeOf(await logOut(token))).toEqual([400, 'badLogoutToken'])
    expect(await isLive(advocate)).toBe(true)
    const used = await tokenOf({ sub: 'somebody else' })
    expect((await logOut(used)).status).toBe(200)
    expect(codeOf(await logOut(used))).toEqual([400, 'badLogoutToken'])
  })
})

describe('two servers on one database', () => {
  it('begin a sign-in at one and end it at the other, and a provider ends its session at either', async () => {
    const second = await startSecondServer(context, { ...settings, PUBLIC_URL: context.address })
    try {
      const there = await signIn(context.contract, second.address, '')
      const subject = await linked('advocate')
      const browser = await browse()
      const answer = await browser.visit((await browser.start()).body.url, subject)
      const signedIn = await browser.finish(answer, there)
      expect([signedIn.status, signedIn.body.outcome]).toEqual([200, 'signed in'])
      expect(codeOf(await browser.finish(answer))).toEqual([400, 'signOnExpired'])
      const here = browser.callerOf(signedIn)
      expect(await isLive(here)).toBe(true)
      const token = await tokenOf({ sub: subject })
      expect((await logOut(token, second.address)).status).toBe(200)
      expect(await isLive(here)).toBe(false)
      expect(codeOf(await logOut(token))).toEqual([400, 'badLogoutToken'])
    } finally {
      await second.end()
    }
  })
})

describe('an account that was disabled at its provider', () => {
  const renew = () => renewSignOns({ db: context.db, settings: readSettings(settings) })
  const hourLater = () =>
    sql`update openid_link set refreshed_at = refreshed_at - interval '1 hour'`.execute(context.db)

  it('has no sessions after the hourly renewal, and its work is that of somebody who is not there, until it signs in again', async () => {
    const [browser, manager] = [await browse(), await context.as('manager')]
    const subject = await linked('advocate')
    const advocate = browser.callerOf(await browser.signOn(subject))
    const here = await signIn(context.contract, context.address, 'advocate')
    await sql`insert into tasks (title, due, assignee, created_by) values ('Call back', '2030-01-01', ${advocate.id}, ${manager.id})`.execute(
      context.db,
    )
    const left = async () =>
      (await manager('staff.leftWork')).body.data.filter(
        (row: { staff: number }) => row.staff === advocate.id,
      )
    await hourLater()
    await renew()
    expect([await isLive(advocate), (await left()).length]).toEqual([true, 0])

    const account = council.accounts.get(subject)!
    // The token of somebody else that cannot be read, asked about first, must not stop the others.
    const unreadable = await linked('volunteer')
    await sql`update openid_link set refresh_token = '\\x00', refreshed_at = '2020-01-01' where subject = ${unreadable}`.execute(
      context.db,
    )
    council.accounts.delete(subject)
    await expect(renew()).rejects.toMatchObject({ code: 'signOn unreadable' })
    expect(await isLive(advocate)).toBe(true)
    await hourLater()
    // The token that cannot be read fails the run, which is on Health, once all others were asked.
    await expect(renew()).rejects.toMatchObject({ code: 'signOn unreadable' })
    expect([await isLive(advocate), await isLive(here), (await left()).length]).toEqual([false, false, 1])
    await expect(signIn(context.contract, context.address, 'advocate')).rejects.toThrow('401')

    council.accounts.set(subject, account)
    const back = await (await browse()).signOn(subject)
    expect([back.status, (await left()).length]).toEqual([200, 0])
    expect((await signIn(context.contract, context.address, 'advocate')).id).toBe(advocate.id)
  })

  it('is distinguished from a client secret that has ended, which fails the job and ends nobody’s session', async () => {
    const browser = await browse()
    const partner = browser.callerOf(await browser.signOn(await linked('partner')))
    await hourLater()
    const ended = { ...council.setting, client_secret: 'a secret that has ended meanwhile' }
    const wrong = readSettings({ ...settings, OPENID_PROVIDERS: JSON.stringify([ended]) })
    await expect(renewSignOns({ db: context.db, settings: wrong })).rejects.toMatchObject({
      code: 'signOn clientRefused',
    })
    expect(await isLive(partner)).toBe(true)
    await renew()
    expect(await isLive(partner)).toBe(true)
  })

  it('is distinguished from a provider that is away, which fails the job and ends nobody’s session', async () => {
    const browser = await browse()
    const partner = browser.callerOf(await browser.signOn(await linked('partner')))
    await hourLater()
    await sql`update openid_link set issuer = 'http://127.0.0.1:9'`.execute(context.db)
    const away = { ...council.setting, issuer: 'http://127.0.0.1:9' }
    const gone = readSettings({ ...settings, OPENID_PROVIDERS: JSON.stringify([away]) })
    await expect(renewSignOns({ db: context.db, settings: gone })).rejects.toMatchObject({
      code: 'signOn unreachable',
    })
    expect(await isLive(partner)).toBe(true)
  })

  it('has nothing done for it by jobs', async () => {
    const { id } = await context.as('partner')
    expect((await callerById(context.db, id))?.username).toBe('partner')
    await sql`update staff set refused_at = now() where id = ${id}`.execute(context.db)
    expect(await callerById(context.db, id)).toBeUndefined()
    expect(await callersWho(context.db, [sql`a.id = ${id}`])).toEqual([])
  })

  it('cannot be gone round by the password meanwhile', async () => {
    const subject = await linked('partner')
    await (await browse()).signOn(subject)
    council.accounts.delete(subject)
    await expect(signIn(context.contract, context.address, 'partner', PASSWORD)).rejects.toThrow('401')
    // An administrator who disconnects it decides that the person signs in here.
    const { id } = await context.as('partner')
    const [link] = (await admin('signOnLinks.ofStaff', { params: { id } })).body.data
    expect((await admin('signOnLinks.unlink', { params: { id: link.id } })).status).toBe(204)
    expect((await signIn(context.contract, context.address, 'partner')).id).toBe(id)
  })
})

describe('a person who signs in by a provider alone', () => {
  const withLink = (link: string) =>
    context.as().then((anyone) => anyone('passwords.check', { params: { token: link } }))
  const passwordOf = (hash: string | null) =>
    sql`update staff set password_hash = ${hash}, email = 'partner@example.org' where username = 'partner'`.execute(
      context.db,
    )

  it('gets no link to a password, no matter who requests it, and one from before counts no more', async () => {
    const partner = await context.as('partner')
    const { rows } = await sql<{ hash: string }>`select password_hash as hash from staff
      where username = 'partner'`.execute(context.db)
    try {
      await passwordOf(null)
      const before = await makeLink(context.db, partner.id)
      expect((await withLink(before)).status).toBe(200)
      await linked('partner')
      expect((await withLink(before)).body.code).toBe('deadLink')
      const asked = await admin('staff.sendLink', { params: { id: partner.id } })
      expect(codeOf(asked)).toEqual([409, 'signsInElsewhere'])
      const links = async () =>
        (await sql`select 1 from password_reset where staff = ${partner.id}`.execute(context.db)).rows.length
      await sql`delete from password_reset`.execute(context.db)
      const call = { db: context.db, settings: readSettings(settings), request: { log: context.app.log } }
      await sendResetTo(call as never, 'partner')
      expect(await links()).toBe(0)
    } finally {
      await passwordOf(rows[0].hash)
      await sql`delete from password_reset`.execute(context.db)
    }
  })
})

describe('groups of a provider', () => {
  const row = (label: string, attrs: object) =>
    sql`insert into lookup (kind, value, label, attrs) select 'sign_on_group', coalesce(max(value), 0) + 1, ${label}::text, ${JSON.stringify({ provider: 'council', ...attrs })}::jsonb
      from lookup where kind = 'sign_on_group'`.execute(context.db)
  const rolesAfter = async (subject: string) => (await (await browse()).signOn(subject)).body.user.groups

  it('give and take the roles of the table, and keep the others', async () => {
    await row('CW-Managers', { role: 2 })
    await row('CW-Hubs', { role: 3, hub: 1 })
    const subject = await linked('stranger', ['CW-Managers', 'Everybody'])
    expect(await rolesAfter(subject)).toEqual([2, 4])
    council.accounts.set(subject, { groups: ['CW-Hubs'] })
    const { user } = (await (await browse()).signOn(subject)).body
    expect([user.groups, user.hub]).toEqual([[3, 4], 1])
    council.accounts.set(subject, { groups: [] })
    expect(await rolesAfter(subject)).toEqual([4])
    council.accounts.set(subject, {})
    await row('Everybody', { role: 6 })
    expect(await rolesAfter(subject)).toEqual([4])
  })

  it('give the hub of the first row that has one, nothing by a row that is switched off, and no event without a change', async () => {
    await row('CW-Staff', { role: 4 })
    await row('CW-North', { role: 3, hub: 1 })
    await row('CW-South', { role: 3, hub: 2 })
    await row('CW-Off', { role: 2 })
    await sql`update lookup set active = false where kind = 'sign_on_group' and label = 'CW-Off'`.execute(
      context.db,
    )
    await sql`update lookup set position = value where kind = 'sign_on_group'`.execute(context.db)
    const subject = await linked('stranger', ['CW-South', 'CW-Staff', 'CW-Off', 'CW-North'])
    const accessAfter = async () => {
      const { groups, hub } = (await (await browse()).signOn(subject)).body.user
      return [groups, hub]
    }
    const events = async () =>
      (
        await sql`select from audit where entity = 'staff' and record = (select id from staff where username = 'stranger')
          and changes ?| array['groups', 'hub']`.execute(context.db)
      ).rows.length
    expect(await accessAfter()).toEqual([[3, 4], 1])
    const before = await events()
    expect([await accessAfter(), await events()]).toEqual([[[3, 4], 1], before])
    await sql`update lookup set position = -value where kind = 'sign_on_group'`.execute(context.db)
    expect([await accessAfter(), await events()]).toEqual([[[3, 4], 2], before + 1])
    council.accounts.set(subject, { groups: ['CW-Staff'] })
    expect(await accessAfter()).toEqual([[4], 2])
  })

  it('of another provider with the same name give nothing and take nothing', async () => {
    await row('CW-Managers', { role: 2 })
    const subject = await linked('stranger', ['CW-Managers'])
    expect(await rolesAfter(subject)).toEqual([2, 4])
    hospital.accounts.set(subject, { groups: ['CW-Managers'] })
    const there = async () => (await (await browse('hospital')).signOn(subject)).body.user.groups
    await sql`insert into openid_link (issuer, subject, staff) select ${hospital.issuer}, ${subject}, id from staff
      where username = 'stranger'`.execute(context.db)
    hospital.accounts.set(subject, {})
    expect(await there()).toEqual([2, 4])
    council.accounts.set(subject, { groups: [] })
    expect(await rolesAfter(subject)).toEqual([4])
    hospital.accounts.set(subject, { groups: ['CW-Managers'] })
    expect(await there()).toEqual([4])
    await row('CW-Managers', { role: 2, provider: '' })
    expect(await there()).toEqual([4])
  })

  it('of two accounts of one person do not take what the other one’s gave', async () => {
    await row('CW-Managers', { role: 2 })
    await row('Ward-Managers', { role: 2, provider: 'hospital' })
    const [first, second] = [await linked('stranger', ['CW-Managers']), await linked('stranger', [])]
    expect(await rolesAfter(first)).toEqual([2, 4])
    expect(await rolesAfter(second)).toEqual([2, 4])
    hospital.accounts.set('s', {})
    await sql`insert into openid_link (issuer, subject, staff) select ${hospital.issuer}, 's', id from staff
      where username = 'stranger'`.execute(context.db)
    expect((await (await browse('hospital')).signOn('s')).body.user.groups).toEqual([2, 4])
    council.accounts.set(first, { groups: [] })
    expect(await rolesAfter(first)).toEqual([4])
  })

  it('that the provider no longer says are none at the next sign-in', async () => {
    await row('CW-Managers', { role: 2 })
    const subject = await linked('stranger', ['CW-Managers'])
    expect(await rolesAfter(subject)).toEqual([2, 4])
    council.accounts.set(subject, {})
    expect(await rolesAfter(subject)).toEqual([4])
  })

  it('are of a provider that there is', async () => {
    const params = { app: 'core', type: 'sign_on_group' }
    const add = (provider: string) =>
      admin('admin.add', { params, body: { data: { label: 'CW', role: 2, provider } } })
    const refused = await add('counsil')
    expect([refused.status, Object.values(refused.body)[0]]).toEqual([
      400,
      ['There is no provider of this id, only council, hospital'],
    ])
    expect((await add('hospital')).status).toBe(201)
  })

  it('make nobody an administrator unless the row says so in words', async () => {
    await row('CW-Admins', { role: 1 })
    const subject = await linked('stranger', ['CW-Admins'])
    expect(await rolesAfter(subject)).toEqual([4])
    await sql`update lookup set attrs = attrs || '{"administrators": "Members are administrators"}'
      where kind = 'sign_on_group'`.execute(context.db)
    expect(await rolesAfter(subject)).toEqual([1, 4])
    council.accounts.set(subject, { groups: [] })
    expect(await rolesAfter(subject)).toEqual([4])
  })
})

describe('with the settings of an organisation', () => {
  let strict: TestContext
  beforeAll(async () => {
    strict = await startTestServer({
      ...settings,
      OPENID_PROVIDERS: JSON.stringify([council.setting]),
      EMERGENCY_ACCOUNT: 'Admin',
      OPENID_CREATE_ACCOUNTS: '1',
    })
  })
  afterAll(() => strict?.end())

  it('only the emergency account signs in by its password, also while the provider is away', async () => {
    await expect(signIn(strict.contract, strict.address, 'advocate')).rejects.toThrow('401')
    expect((await signIn(strict.contract, strict.address, 'admin')).id).toBeGreaterThan(0)
    const away = await startTestServer({
      ...settings,
      OPENID_PROVIDERS: JSON.stringify([{ ...council.setting, issuer: 'http://127.0.0.1:9' }]),
      EMERGENCY_ACCOUNT: 'admin',
    })
    try {
      expect((await signIn(away.contract, away.address, 'admin')).id).toBeGreaterThan(0)
      const { status, body } = await (await signOnBrowser(away)).start()
      expect([status, body.code]).toEqual([503, 'signOnAway'])
      expect(body.message).toBe('Example Council cannot be reached. Try again in a moment.')
    } finally {
      await away.end()
    }
  })

  it('the emergency account keeps its name, whose capital letters do not count', async () => {
    const admin = await strict.as('admin')
    const renamed = async (username: string) => {
      const { status, body } = await admin('staff.edit', { params: { id: admin.id }, body: { username } })
      return body.code ?? [status, body.username]
    }
    expect(await renamed('somebody')).toBe('emergencyAccount')
    expect(await renamed('ADMIN')).toEqual([200, 'ADMIN'])
    expect(await renamed('admin')).toEqual([200, 'admin'])
  })

  it('a first sign-in makes an account if its groups give a role, and never takes one that is there', async () => {
    council.register(strict.address)
    await sql`insert into lookup (kind, value, label, attrs) values ('sign_on_group', 1, 'CW-Advocates', '{"role": 4}')`.execute(
      strict.db,
    )
    council.accounts.set('n1', {
      name: 'New Person',
      preferred_username: 'advocate',
      groups: ['CW-Advocates'],
    })
    council.accounts.set('n2', { name: 'No Role', preferred_username: 'no.role' })
    const browser = await signOnBrowser(strict)
    const { user } = (await browser.signOn('n1')).body
    expect([user.username, user.first_name, user.last_name, user.groups]).toEqual([
      'advocate2',
      'New',
      'Person',
      [4],
    ])
    expect(codeOf(await (await signOnBrowser(strict)).signOn('n2'))).toEqual([403, 'signOnUnknown'])
    council.register(context.address)
  })
})

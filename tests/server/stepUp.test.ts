import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { contract } from '../loadedContract.ts'
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

let council: TestProvider
let context: TestContext
let admin: Caller
beforeAll(async () => {
  council = await startOpenidProvider()
  context = await startTestServer({
    STEP_UP: '1',
    OPENID_PROVIDERS: JSON.stringify([council.setting]),
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    PUBLIC_URL: '',
  })
  council.register(context.address)
  admin = await context.as('admin')
})
afterAll(async () => {
  await context?.end()
  await council?.end()
})
beforeEach(() => sql`truncate access_attempt`.execute(context.db))

const signedIn = (seconds: number, who = admin) =>
  sql`update session set authenticated_at = now() - make_interval(secs => ${seconds}) where staff = ${who.id}`.execute(
    context.db,
  )
const codeOf = ({ status, body }: Reply) => [status, body.code]
const confirm = (password: string, who = admin) => who('passwords.confirm', { body: { password } })
const edit = async (body: object, who = admin) =>
  who('staff.edit', { params: { id: (await context.as('volunteer')).id }, body })

describe('a call that wants a recent proof', () => {
  it.each([
    [295, 200],
    [305, 403],
  ])('is answered %s seconds after the sign-in by %s', async (seconds, status) => {
    await signedIn(seconds)
    expect((await edit({ email: `v${seconds}@example.org` })).status).toBe(status)
  })

  it('is refused with the ways to prove who one is, and done after the password', async () => {
    await signedIn(3600)
    const refused = await edit({ groups: [6] })
    expect([...codeOf(refused), refused.body.password, refused.body.providers]).toEqual([
      403,
      'step_up',
      true,
      [],
    ])
    const wrong = await confirm('not the password')
    expect([wrong.status, wrong.body]).toEqual([400, { password: ['Password is wrong'] }])
    expect(codeOf(await edit({ groups: [6] }))).toEqual([403, 'step_up'])
    expect((await confirm(PASSWORD)).status).toBe(204)
    expect((await edit({ groups: [6] })).status).toBe(200)
  })

  it('is one that changes roles or email addresses, and no other change of a person', async () => {
    await signedIn(3600)
    expect((await edit({ phone: '01632 960111' })).status).toBe(200)
    for (const body of [{ groups: [6] }, { email: 'v@example.org' }, { username: 'volunteer' }])
      expect(codeOf(await edit(body))).toEqual([403, 'step_up'])
  })

  it.each([
    'cases.purge',
    'clients.purge',
    'issues.purge',
    'bulk.undo',
    'merges.merge',
    'merges.mergeCases',
    'staff.add',
  ])('is %s', (name) => {
    expect(contract.endpoints[name].stepUp).toBe(true)
  })

  it.each([
    'sessions.end',
    'sessions.endOthers',
    'secondFactor.begin',
    'secondFactor.remove',
    'secondFactor.reset',
    'passkeys.begin',
    'passkeys.add',
    'passkeys.remove',
    'signOnLinks.connect',
    'signOnLinks.disconnect',
    'signOnLinks.decide',
  ])('is %s, also without STEP_UP', (name) => {
    expect(contract.endpoints[name].stepUp).toBe('always')
  })

  it('is one of one’s own sessions, and no change of a role, where STEP_UP is not set', async () => {
    const second = await startSecondServer(context, {})
    try {
      const other = await signIn(contract, second.address, 'admin')
      await signedIn(3600)
      expect(codeOf(await other('sessions.endOthers'))).toEqual([403, 'step_up'])
      expect((await edit({ groups: [6] }, other)).status).toBe(200)
      expect((await confirm(PASSWORD, other)).status).toBe(204)
      expect((await other('sessions.endOthers')).status).toBe(200)
    } finally {
      await second.end()
      admin = await signIn(contract, context.address, 'admin')
    }
  })

  it('is a change of the groups that give roles, and of their order', async () => {
    await sql`insert into lookup (kind, value, label, attrs, position) values
      ('sign_on_group', 1, 'CW-Hub-1', '{"hub": 1}', 0), ('sign_on_group', 2, 'CW-Hub-2', '{"hub": 1}', 1)`.execute(
      context.db,
    )
    await signedIn(3600)
    const params = { app: 'core', type: 'sign_on_group', id: 1 }
    const calls = [
      () => admin('admin.order', { params, body: { ids: [2, 1] } }),
      () => admin('admin.change', { params, body: { data: { label: 'CW-Hub' } } }),
    ]
    for (const call of calls) expect(codeOf(await call())).toEqual([403, 'step_up'])
    expect((await confirm(PASSWORD)).status).toBe(204)
    for (const call of calls) expect((await call()).status).toBe(200)
  })

  it('is an export of more than 500 rows', async () => {
    await signedIn(3600)
    await sql`insert into tasks (title, due, assignee, created_by)
      select 'Call ' || n, '2030-01-01', ${admin.id}, ${admin.id} from generate_series(1, 500) n`.execute(
      context.db,
    )
    const file = () => admin('tasks.list', { query: { format: 'xlsx', assignee: admin.id } })
    expect((await file()).status).toBe(200)
    await sql`insert into tasks (title, due, assignee, created_by) values ('Call', '2030-01-01', ${admin.id}, ${admin.id})`.execute(
      context.db,
    )
    expect(codeOf(await file())).toEqual([403, 'step_up'])
  })

  it('is the file of more than 500 wrong rows of an upload', async () => {
    await signedIn(3600)
    const { rows } = await sql<{
      id: number
    }>`insert into bulk_uploads (name, case_type, state, headings, created_by, acting)
      values ('people.xlsx', 1, 'ready', '["First name"]', ${admin.id}, ${admin.id}) returning id`.execute(
      context.db,
    )
    const [{ id }] = rows
    const add = (from: number, to: number) =>
      sql`insert into bulk_rows (upload, row, state, cells) select ${id}, n, 'wrong', '["Ann"]'
        from generate_series(${from}::int, ${to}::int) n`.execute(context.db)
    await add(1, 500)
    const file = () => admin('bulk.file', { params: { id } })
    expect((await file()).status).toBe(200)
    await add(501, 501)
    expect(codeOf(await file())).toEqual([403, 'step_up'])
    const { rows: exports } = await sql`select 1 from audit where action = 'export' and entity = 'bulkUpload'
      and record = ${id}`.execute(context.db)
    expect(exports).toHaveLength(1)
  })

  it('is one that ends one’s own sessions on the page of people too, and not those of others', async () => {
    await signedIn(3600)
    const volunteer = await context.as('volunteer')
    expect(codeOf(await admin('staff.endSessions', { params: { id: admin.id } }))).toEqual([403, 'step_up'])
    const { data } = (await admin('staff.sessions', { params: { id: admin.id } })).body
    expect(codeOf(await admin('staff.endSession', { params: { id: data[0].id } }))).toEqual([403, 'step_up'])
    const theirs = (await admin('staff.sessions', { params: { id: volunteer.id } })).body.data
    expect((await admin('staff.endSession', { params: { id: theirs[0].id } })).status).toBe(204)
  })

  it('counts guesses at the password as the sign-in does', async () => {
    for (let i = 0; i < 5; i++) await confirm(`guess ${i}`)
    expect((await confirm(PASSWORD)).status).toBe(423)
  })
})

describe('a person who signs in by a provider', () => {
  it('proves there again who they are, as the same subject', async () => {
    const volunteer = await context.as('volunteer')
    council.accounts.set('v', { name: 'Vol' })
    council.accounts.set('other', { name: 'Somebody else' })
    await sql`insert into openid_link (issuer, subject, staff) values (${council.issuer}, 'v', ${volunteer.id})`.execute(
      context.db,
    )
    const browser = await signOnBrowser(context)
    const session = browser.callerOf(await browser.signOn('v'))
    await signedIn(3600, session)
    const end = () => session('sessions.endOthers')
    const refused = await end()
    expect([...codeOf(refused), refused.body.providers]).toEqual([
      403,
      'step_up',
      [{ id: 'council', name: 'Example Council' }],
    ])
    const stranger = await signOnBrowser(context)
    expect(codeOf(await stranger.signOn('other', 'step up', session))).toEqual([403, 'signOnOther'])
    expect(codeOf(await end())).toEqual([403, 'step_up'])
    expect((await browser.signOn('v', 'step up', session)).body).toEqual({ outcome: 'confirmed' })
    expect((await end()).status).toBe(200)
  })

  it('is as fresh as their sign-in at the provider, not as this session', async () => {
    council.accounts.set('p', { name: 'Partner' })
    const partner = await context.as('partner')
    await sql`insert into openid_link (issuer, subject, staff) values (${council.issuer}, 'p', ${partner.id})`.execute(
      context.db,
    )
    const browser = await signOnBrowser(context)
    await browser.signOn('p')
    const { body } = await browser.start()
    const asked: string[] = []
    await browser.finish(await browser.visit(body.url, 'p', asked))
    expect(asked).toEqual([])
    const { rows } = await sql<{ times: number }>`select count(distinct authenticated_at)::int as times
      from session s join openid_session o on o.session = s.id where s.staff = ${partner.id}`.execute(
      context.db,
    )
    expect(rows).toEqual([{ times: 1 }])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type Caller,
  type CallOptions,
  PASSWORD,
  signIn,
  startTestServer,
  type TestContext,
} from './context.ts'
import { type DatabaseProxy, startProxy } from './databaseProxy.ts'
import { createCase, newCase } from './newCase.ts'

let context: TestContext
let proxy: DatabaseProxy
let advocate: Caller
let made: Awaited<ReturnType<typeof createCase>>
let wholeCase: Record<string, unknown>
let words = 0

beforeAll(async () => {
  context = await startTestServer({}, async (url) => {
    proxy = await startProxy(url)
    return proxy.url
  })
  advocate = await context.as('advocate')
  made = await createCase(advocate)
  wholeCase = await newCase(advocate, 1, { signposting: [{ sp_org: 2 }, { sp_org: 3 }] })
})
afterAll(async () => {
  await context?.end()
  proxy?.close()
})

const NEW_WORDS = () => `Words ${++words}`
const DRAFT = () => ({ body: { kind: 'case', title: NEW_WORDS(), payload: {} } })

describe('round trips to the database, with that of the session, begin and commit', () => {
  it.each<[string, number, string, () => CallOptions]>([
    ['a sign of life', 1, 'auth.ping', () => ({})],
    ['who one is, with one’s notifications', 2, 'auth.me', () => ({})],
    ['opening a client, which is audited', 2, 'clients.read', () => ({ params: { id: made.client } })],
    ['opening an issue', 2, 'issues.read', () => ({ params: { id: made.issue } })],
    ['opening a case with its case type', 3, 'cases.read', () => ({ params: { id: made.id } })],
    ['a page of clients, its keys with their count and then their columns', 3, 'clients.list', () => ({})],
    [
      'saving a client, whose cases are evaluated',
      5,
      'clients.update',
      () => ({ params: { id: made.client }, body: { notes: NEW_WORDS() } }),
    ],
    [
      'saving an answer of an issue, validated by its form and evaluated',
      5,
      'issues.update',
      () => ({ params: { id: made.issue }, body: { answers: { concern: NEW_WORDS() } } }),
    ],
    ['adding a draft', 6, 'drafts.create', DRAFT],
    [
      'adding a draft once, however often it is sent',
      8,
      'drafts.create',
      () => ({ ...DRAFT(), headers: { 'idempotency-key': `key-${++words}-of-draft` } }),
    ],
  ])('%s: %i', async (_, times, name, options) => {
    // The first calls open a connection and prepare its statements.
    for (const __ of [1, 2, 3]) await advocate(name, options())
    const before = proxy.roundTrips()
    const { status, body } = await advocate(name, options())
    expect([200, 201], JSON.stringify(body)).toContain(status)
    expect(proxy.roundTrips() - before).toBe(times)
  })
})

describe('round trips to the database', () => {
  /** Round trips of the last of several runs, which find connections open and statements prepared. */
  const ofTheLast = async (run: () => Promise<() => Promise<number>>, status: number) => {
    let trips = 0
    for (const _ of [1, 2, 3, 4]) {
      const send = await run()
      const before = proxy.roundTrips()
      expect(await send()).toBe(status)
      trips = proxy.roundTrips() - before
    }
    return trips
  }

  it.each([
    ['with the right password', 7, 'hub', PASSWORD, 200],
    ['with a wrong one', 3, 'partner', 'not the password', 401],
    ['as nobody that is known', 3, 'nobody', 'not the password', 401],
  ])('signing in %s: %i', async (_, trips, username, password, status) => {
    const nobody = await context.as()
    const login = async () => (await nobody('auth.login', { body: { username, password } })).status
    expect(await ofTheLast(async () => login, status)).toBe(trips)
  })

  it.each([
    ['an account', 'stranger'],
    ['a name that nobody has', 'no such person'],
  ])('refusing %s that is locked: 2, whatever the password', async (_, username) => {
    const nobody = await context.as()
    const login = async (password: string) =>
      (await nobody('auth.login', { body: { username, password } })).status
    while ((await login('not the password')) === 401);
    for (const password of [PASSWORD, 'not the password'])
      expect(await ofTheLast(async () => () => login(password), 423)).toBe(2)
  })

  // Its parts are validated beside one another: an answer that comes between two of them is counted twice, so the run
  // with the fewest says how many it takes.
  it('adding a client, a case and an issue with two signposts and its deadlines: 13 at most', async () => {
    const add = async () => (await advocate('cases.create', { body: wholeCase })).status
    const runs: number[] = []
    for (let run = 0; run < 4; run++) runs.push(await ofTheLast(async () => add, 201))
    expect(Math.min(...runs)).toBeLessThanOrEqual(13)
  })

  // What matches, and what is seen of it; counted and audited. The last two may be sent at once.
  it.each<[string, string, CallOptions]>([
    ['searching clients', 'search.clients', { body: { term: 'Quill' } }],
    ['the quick search', 'search.quick', { query: { term: 'Quill' } }],
  ])('%s by a name: 5 at most', async (_, name, options) => {
    const search = async () => (await advocate(name, options)).status
    expect(await ofTheLast(async () => search, 200)).toBeLessThanOrEqual(5)
  })

  it('signing out: 2', async () => {
    const logout = async () => {
      const hub = await signIn(context.contract, context.address, 'hub')
      return async () => (await hub('auth.logout')).status
    }
    expect(await ofTheLast(logout, 204)).toBe(2)
  })
})

import { resolve } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { callOf, fillPath } from '../../src/contract/call.ts'
import type { Contract } from '../../src/contract/contract.ts'
import { hashPassword } from '../../src/server/access/password.ts'
import { type Database, type Db, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { fillDefaults } from '../../src/server/ops/demo/defaults.ts'
import { withPurgeRoles } from '../../src/server/ops/start/purgeRoles.ts'
import { contract as loadedContract } from '../loadedContract.ts'
import { staffedDatabase } from './database.ts'

export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads replies of every shape.
  body: any
  headers: Headers
}
export interface CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  headers?: Record<string, string>
}
/** Calls the server as one person, by the contract's names. */
export type Caller = ((name: string, options?: CallOptions) => Promise<Reply>) & {
  id: number
  key: string
  /** Headers that authenticate the person, for a request with `fetch`. */
  headers: Record<string, string>
  raw(path: string, init?: RequestInit): Promise<Reply>
}
export interface TestContext {
  app: FastifyInstance
  contract: Contract
  db: Db
  /** Pools for another server on the same database. */
  pools: Omit<Database, 'close'>
  databaseUrl: string
  address: string
  /** A caller signed in as a user of STAFF ('advocate'), or without a name not signed in. */
  as(username?: string): Promise<Caller>
  end(): Promise<void>
}

export const PASSWORD = 'a long enough password'
const PASSWORD_COST = 10
/** Hub 1 has hub and hubmanager; manager leads advocate and volunteer; partnermanager leads partner. */
const STAFF = [
  { username: 'admin', groups: [1] },
  { username: 'manager', groups: [2], services: [1] },
  { username: 'partnermanager', groups: [9], services: [1] },
  { username: 'hubmanager', groups: [7], hub: 1 },
  { username: 'hub', groups: [3], hub: 1, services: [1] },
  { username: 'advocate', groups: [4], services: [1], manager: 'manager' },
  { username: 'volunteer', groups: [6], services: [1], manager: 'manager' },
  { username: 'partner', groups: [8], services: [1], manager: 'partnermanager' },
  { username: 'commissioner', groups: [5], contracts: [1] },
  { username: 'stranger', groups: [4], services: [4] },
]

/**
 * Starts a server on its own database with the default lookups and case types and one person of each role; `through`
 * returns the address by which the server reaches the database, such as that of a proxy.
 */
export async function startTestServer(
  options: Record<string, string> = {},
  through: (databaseUrl: string) => Promise<string> = async (databaseUrl) => databaseUrl,
): Promise<TestContext> {
  const settings = readSettings({
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    PASSWORD_COST: String(PASSWORD_COST),
    ...options,
  })
  const contract = withPurgeRoles(loadedContract, settings)
  const database = await staffedDatabase(fillStaffed)
  const databaseUrl = await through(database.url)
  const { close, ...pools } = openDatabase(databaseUrl)
  const { db } = pools
  const app = await createApp({
    ...pools,
    databaseUrl,
    contract,
    settings,
    web: resolve('dist/web'),
  })
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const people = new Map<string, Promise<Caller>>()
  const as = (username = '') => {
    if (!people.has(username)) people.set(username, signIn(contract, address, username))
    return people.get(username)!
  }
  return {
    app,
    contract,
    db,
    pools,
    databaseUrl: database.url,
    address,
    as,
    end: async () => {
      await app.close()
      await close()
      await database.drop()
    },
  }
}

/** Adds the default lookups and case types and one person of each role. */
export async function fillStaffed(db: Db): Promise<void> {
  await fillDefaults(db)
  const hash = await hashPassword(PASSWORD, PASSWORD_COST)
  for (const { username, groups, hub, services = [], contracts = [], manager } of STAFF) {
    await sql`insert into staff (username, first_name, last_name, password_hash, groups, hub, services, contracts, line_manager)
      values (${username}, ${username}, 'Example', ${hash}, ${groups}, ${hub ?? null}, ${services}, ${contracts},
        (select id from staff where username = ${manager ?? ''}))`.execute(db)
  }
}

/** Starts another server on the database of a context; its address, and how to end it. */
export async function startSecondServer(
  { pools, databaseUrl, contract }: TestContext,
  options: Record<string, string>,
): Promise<{ address: string; end: () => Promise<void> }> {
  const settings = readSettings({ LOG_LEVEL: 'silent', PASSWORD_COST: '10', ...options })
  const app = await createApp({ ...pools, databaseUrl, contract, settings, web: resolve('dist/web') })
  return { address: await app.listen({ host: '127.0.0.1', port: 0 }), end: () => app.close() }
}

/** Starts a server before the tests of a file or a describe block, where its properties can be read, and ends it after. */
export function describeServer(options?: Record<string, string>): TestContext {
  const context = {} as TestContext
  beforeAll(async () => {
    Object.assign(context, await startTestServer(options))
  })
  afterAll(() => context.end?.())
  return context
}

/** Signs in over HTTP and returns the caller; without a name a caller who is not signed in. */
export async function signIn(
  contract: Contract,
  address: string,
  username: string,
  password = PASSWORD,
): Promise<Caller> {
  const send = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const reply = await fetch(address + path, { ...init, redirect: 'manual' })
    const text = await textOf(reply)
    const json = reply.headers.get('content-type')?.includes('json')
    return { status: reply.status, body: json ? JSON.parse(text) : text, headers: reply.headers }
  }
  const anti = await send('/api_admin/csrf_token/')
  const headers: Record<string, string> = {
    accept: 'application/json',
    cookie: anti.headers.get('set-cookie')!.split(';')[0],
    'x-csrftoken': anti.body.csrftoken,
  }
  const call = async (
    name: string,
    { params = {}, query = {}, body, headers: more = {} }: CallOptions = {},
  ): Promise<Reply> => {
    const { method, path } = callOf(contract.endpoints[name])
    const search = new URLSearchParams(Object.entries(query).map(([k, v]) => [k, String(v)])).toString()
    const json: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    return send(fillPath(path, params) + (search && `?${search}`), {
      method,
      headers: { ...headers, ...json, ...more },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }
  const raw = (path: string, init: RequestInit = {}) =>
    send(path, { ...init, headers: { ...headers, ...(init.headers as object) } })
  const caller = Object.assign(call, { id: 0, key: '', headers, raw }) as Caller
  if (!username) return caller
  const { status, body } = await call('auth.login', { body: { username, password } })
  if (status !== 200) throw new Error(`${username} cannot sign in: ${status} ${JSON.stringify(body)}`)
  headers.authorization = `Token ${body.key}`
  return Object.assign(caller, { id: body.user.id, key: body.key })
}

/** The text of a reply; of an event stream, which does not end, the first chunk. */
async function textOf(reply: Response): Promise<string> {
  if (!reply.headers.get('content-type')?.includes('event-stream')) return reply.text()
  const reader = reply.body!.getReader()
  const { value } = await reader.read()
  await reader.cancel()
  return new TextDecoder().decode(value)
}

import { sql } from 'kysely'
import { beforeAll, describe, expect, it } from 'vitest'
import { roleIds } from '../../src/contract/access.ts'
import { callOf, fillPath, parametersOf } from '../../src/contract/call.ts'
import type { Values } from '../../src/contract/when.ts'
import { hashToken, makeToken } from '../../src/server/access/token.ts'
import { seeded } from '../../src/server/ops/demo/random.ts'
import { FULL } from '../full.ts'
import { bodyNames, type Metas, withValue } from './bodyNames.ts'
import { type Caller, describeServer, type Reply } from './context.ts'
import { newCase } from './newCase.ts'

/** Requests of each kind, of all those that there could be. */
const SAMPLE = FULL ? 4000 : 150
const SEED = 2026
const AT_ONCE = 4
const USERS = ['admin', 'hub', 'manager', 'hubmanager']

interface Sent {
  name: string
  path: string
  init: RequestInit
}

const context = describeServer()
let callers: Map<string, Caller>
let stranger: Caller
let metas: Metas
let wholeCase: Values
let made: { id: number; client: number; issue: number }
beforeAll(async () => {
  callers = new Map()
  for (const user of ['', ...USERS]) callers.set(user, await context.as(user))
  const admin = callers.get('admin')!
  stranger = await context.as('stranger')
  wholeCase = await newCase(admin)
  metas = (await admin('caseTypes.read', { params: { id: 1 } })).body
  made = (await admin('cases.create', { body: wholeCase })).body
  const dated = { type: 1, done_on: '2026-02-02' }
  await admin('drafts.create', { body: { kind: 'case' } })
  await admin('actions.addToIssue', { params: { id: made.issue }, body: dated })
  await admin('activities.create', { body: { ...dated, commissioning_contract: 1 } })
  await admin('signposts.create', { params: { id: made.client }, body: { sp_org: 1 } })
  await admin('risks.create', { params: { id: made.client }, body: { type: 1 } })
  await admin('communicationIssues.create', { params: { id: made.client }, body: { type: 1 } })
  await sql`insert into referral_requests (hub, from_hub, service) values (1, 2, 1)`.execute(context.db)
})

const names = () => Object.keys(context.contract.endpoints)

/** User name of somebody whose role may make a call; empty where everybody may. */
function userOf(name: string): string {
  const { roles } = context.contract.endpoints[name]
  if (roles === 'public') return ''
  const allowed = roleIds(context.contract.roles, roles)
  const mayCall = (user: string) =>
    allowed.includes(context.contract.roles.roles.find(({ demo }) => demo === user)!.id)
  return USERS.find(mayCall)!
}

/** Sends one request; a person who was signed out by an earlier one, or got another password, is signed in again. */
async function send({ name, path, init }: Sent): Promise<Reply> {
  const user = userOf(name)
  const caller = callers.get(user)!
  const reply = await caller.raw(path, init)
  if (user === '' || reply.status !== 401 || (await caller('auth.me')).status !== 401) return reply
  const token = makeToken()
  await sql`insert into session (token_hash, staff, expires_at)
    values (${hashToken(token)}, ${caller.id}, now() + interval '1 hour')`.execute(context.db)
  caller.headers.authorization = `Token ${token}`
  return caller.raw(path, init)
}

/** Parts of the path by which a call finds something. */
function rightParts(name: string): Values {
  const [of] = name.split('.')
  // Staff is somebody who sends nothing here.
  const ids: Values = { clients: made.client, issues: made.issue, cases: made.id, staff: stranger.id }
  const type = of === 'axes' ? 'accesslog' : 'title'
  return { id: ids[of] ?? 1, type, app: 'core', version: 1, token: 'x'.repeat(43) }
}

function sending(
  name: string,
  { parts = {}, query = '', init = {} }: { parts?: Values; query?: string; init?: RequestInit },
): Sent {
  const { method, path } = callOf(context.contract.endpoints[name])
  return { name, path: fillPath(path, { ...rightParts(name), ...parts }) + query, init: { method, ...init } }
}

const json = (body: string): RequestInit => ({ body, headers: { 'content-type': 'application/json' } })

/** A body that is right but for what is tried out; calls that change what they are sent need none. */
function rightBody(name: string): Values {
  if (name === 'cases.create') return wholeCase
  return name === 'cases.addIssue' ? (wholeCase.issue as Values) : {}
}

/** Sends some of the requests, the same ones in every run; answers those that failed inside of the server. */
async function failures(all: Sent[]): Promise<string[]> {
  const random = seeded(SEED)
  const left = all.length <= SAMPLE ? [...all] : Array.from({ length: SAMPLE }, () => random.pick(all))
  const failed: string[] = []
  let answered = 0
  const hands = Array.from({ length: AT_ONCE }, async () => {
    for (let one = left.pop(); one; one = left.pop()) {
      const { status } = await send(one)
      if (status === 500) failed.push(`${one.name} ${one.path} ${String(one.init.body).slice(0, 200)}`)
      if (status !== 401) answered++
    }
  })
  await Promise.all(hands)
  // Without sessions nothing would be tried out.
  expect(answered).toBeGreaterThan(Math.min(SAMPLE, all.length) / 2)
  return failed
}

const LONG = 'x'.repeat(30_000)
const VALUES: unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2147483648,
  '',
  ' ',
  'x',
  '1',
  '2026-02-30',
  '-infinity',
  '2026-01-01T00:00:00+99:99',
  '\u2028\u202e\ufeff',
  LONG,
  [],
  [null],
  [[]],
  [1, 1],
  ['x'],
  [{}],
  [{ row: {} }],
  [{ toString: 1 }],
  [[{ toString: 1 }]],
  {},
  { a: 1 },
  { toString: 1, valueOf: 1 },
  { length: 1, 0: 'x' },
  { toJSON: 'x', id: {} },
]

describe('no request fails inside of the server', () => {
  it('with a value of the wrong type in any place of a body', async () => {
    const all = names().flatMap((name) =>
      bodyNames(context.contract, metas, name).flatMap((path) =>
        VALUES.map((value) =>
          sending(name, { init: json(JSON.stringify(withValue(rightBody(name), path, value))) }),
        ),
      ),
    )
    expect(all.length).toBeGreaterThan(5000)
    expect(await failures(all)).toEqual([])
  }, 1_800_000)

  it('with a body of another kind', async () => {
    const texts = [
      'null',
      '1',
      '[]',
      '""',
      '{',
      '{}',
      '{"a":{"__proto__":1}}',
      '{"toString":1,"hasOwnProperty":2}',
    ]
    const types = [
      'text/plain',
      'multipart/form-data',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'x',
    ]
    const part =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\nlabel\r\n--x--\r\n'
    const all = names()
      .filter((name) => callOf(context.contract.endpoints[name]).method !== 'GET')
      .flatMap((name) => [
        ...texts.map((text) => sending(name, { init: json(text) })),
        ...types.flatMap((type) =>
          ['', part, part.replaceAll('file', '__proto__'), part.replaceAll('a.csv', 'a.xlsx')].map((body) =>
            sending(name, { init: { body, headers: { 'content-type': type } } }),
          ),
        ),
      ])
    expect(await failures(all)).toEqual([])
  }, 600_000)

  it('with anything in its query', async () => {
    const values = [
      '',
      'x',
      '-1',
      '0',
      '99999999999',
      '1e9',
      '%25',
      '%5C',
      '%00',
      '%E0',
      '2026-13-01',
      '0001-01-01',
      'a,b',
      ',,',
      '%F0%9F%92%A9',
      LONG.slice(0, 8000),
    ]
    const all = names().flatMap((name) => {
      const { endpoints } = context.contract
      const known = [
        ...Object.keys(parametersOf(context.contract, endpoints[name])),
        'format',
        'columns',
        'nonsense',
        '__proto__',
      ]
      const queries = known.flatMap((key) => [
        ...values.map((value) => `?${key}=${value}`),
        `?${key}=1&${key}=2`,
        `?${key}[]=1&${key}[a]=2`,
        `?${key}`,
      ])
      return [...queries, '?format=xlsx&columns=id,', '?&&==&%'].map((query) => sending(name, { query }))
    })
    const lookups = Object.values(context.contract.lookups).flatMap(({ path, by = [] }) =>
      [...by, 'term', 'active', 'id', 'staff', 'role', 'service', 'line_manager'].flatMap((key) =>
        values.map(
          (value): Sent => ({ name: 'auth.me', path: `${path}?${key}=${value}&${key}=1`, init: {} }),
        ),
      ),
    )
    expect(await failures([...all, ...lookups])).toEqual([])
  }, 1_800_000)

  it('with anything in its address', async () => {
    const values = [
      '0',
      '-1',
      '1.5',
      'x',
      '2147483648',
      '99999999999999999999',
      '%',
      '..',
      '__proto__',
      'constructor',
      'a/b',
      '\u0000',
      '💩',
      LONG.slice(0, 190),
    ]
    const all = names().flatMap((name) =>
      [...callOf(context.contract.endpoints[name]).path.matchAll(/\{(\w+)\}/g)].flatMap(([, part]) =>
        values.map((value) => sending(name, { parts: { [part]: value } })),
      ),
    )
    expect(await failures(all)).toEqual([])
  }, 600_000)

  it('with anything in its headers', async () => {
    const values = [
      '',
      'x',
      '-1',
      '%00',
      '"',
      '\u00ff',
      '1'.repeat(200),
      'Token x',
      'Basic eA==',
      'a=b; c',
      '{}',
      '::1, x',
    ]
    const headers = [
      'authorization',
      'cookie',
      'x-csrftoken',
      'idempotency-key',
      'x-draft',
      'accept',
      'content-type',
      'if-none-match',
      'range',
      'x-forwarded-for',
      'last-event-id',
      'sec-fetch-site',
      'user-agent',
    ]
    const all = names().flatMap((name) =>
      headers.flatMap((header) =>
        values.map((value) => sending(name, { init: { headers: { [header]: value } } })),
      ),
    )
    expect(await failures(all)).toEqual([])
  }, 1_800_000)
})

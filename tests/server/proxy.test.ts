import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { requestIds } from '../../src/server/core/requestId.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { PASSWORD, startTestServer, type TestContext } from './context.ts'

let context: TestContext
afterEach(() => context?.end())

/** What the right password gets from one address after another one was locked, and where it is said to have come from. */
async function afterLock(trusted: Record<string, string>) {
  context = await startTestServer({ LOCK_ADDRESS_AFTER: '2', ...trusted })
  const anyone = await context.as()
  const login = async (from: string, username: string, password: string) => {
    const headers = { 'x-forwarded-for': from }
    return (await anyone('auth.login', { body: { username, password }, headers })).status
  }
  await login('192.0.2.1', 'nobody', 'a wrong password')
  await login('192.0.2.1', 'somebody', 'a wrong password')
  const status = await login('192.0.2.2', 'hub', PASSWORD)
  const { rows } = await sql<{
    ip: string
  }>`select ip_address as ip from access_log order by id desc limit 1`.execute(context.db)
  return [status, rows[0].ip]
}

describe('behind a proxy', () => {
  it.each(['true', '1', '127.0.0.1', '10.0.0.0/8, 127.0.0.0/8', 'loopback'])(
    'that is trusted (%s), guesses from one address lock nobody at another',
    async (TRUST_PROXY) => {
      expect(await afterLock({ TRUST_PROXY })).toEqual([200, '192.0.2.2'])
    },
  )

  it.each<Record<string, string>>([{}, { TRUST_PROXY: '10.0.0.1' }, { TRUST_PROXY: '0' }])(
    'nobody is believed who is not named: %j',
    async (trusted) => {
      expect(await afterLock(trusted)).toEqual([423, '127.0.0.1'])
    },
  )
})

it('guesses are counted by the /64 network of an IPv6 address, which one customer has as a whole', async () => {
  context = await startTestServer({ LOCK_ADDRESS_AFTER: '2', TRUST_PROXY: 'true' })
  const anyone = await context.as()
  const login = async (from: string, username: string, password: string) => {
    const headers = { 'x-forwarded-for': from }
    return (await anyone('auth.login', { body: { username, password }, headers })).status
  }
  await login('2001:db8:0:1::1', 'nobody', 'a wrong password')
  await login('2001:db8:0:1:ffff::2', 'somebody', 'a wrong password')
  expect(await login('2001:db8:0:1:a:b:c:d', 'hub', PASSWORD)).toBe(423)
  expect(await login('2001:db8:0:2::1', 'hub', PASSWORD)).toBe(200)
})

it.each(['yes', 'false', '-1', 'proxy.example.org', '10.0.0.0/33', '::1/129', '10.0.0.1,', '10.0.0.1/'])(
  'TRUST_PROXY %s is refused in a sentence',
  (TRUST_PROXY) => {
    expect(() => readSettings({ TRUST_PROXY })).toThrow(
      'TRUST_PROXY must be true, a number of proxies, or their addresses separated by commas.',
    )
  },
)

it('TRUST_PROXY takes addresses of both kinds', () => {
  expect(readSettings({ TRUST_PROXY: '10.0.0.1, fd00::/8' }).TRUST_PROXY).toBe('10.0.0.1, fd00::/8')
})

describe('the id of a request', () => {
  const idFrom = (trusted: string, remoteAddress: string, id: string) =>
    requestIds(trusted)({ headers: { 'x-request-id': id }, socket: { remoteAddress } } as never)
  const OWN = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}$/

  it.each([
    ['true', '198.51.100.7'],
    ['1', '198.51.100.7'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
    ['10.0.0.0/8, fd00::/8', '::ffff:10.1.2.3'],
    ['10.0.0.0/8, fd00::/8', 'fd00::1'],
    ['loopback', '127.0.0.2'],
    ['uniquelocal', '192.168.0.1'],
  ])('is that of a trusted proxy (%s), where it can stand in a log', (trusted, address) => {
    expect(idFrom(trusted, address, 'edge-7_f3')).toBe('edge-7_f3')
    expect(idFrom(trusted, address, 'x'.repeat(64))).toBe('x'.repeat(64))
    for (const bad of ['x'.repeat(65), '', 'a b', '{"staff":1}'])
      expect(idFrom(trusted, address, bad)).toMatch(OWN)
  })

  it.each([
    ['', '127.0.0.1'],
    ['0', '127.0.0.1'],
    ['10.0.0.0/8', '11.0.0.1'],
    ['fd00::/8', '10.0.0.1'],
    ['loopback', '10.0.0.1'],
    ['loopback', ''],
  ])('is made anew if the caller is not a trusted proxy (%s, %s)', (trusted, address) => {
    const ids = ['edge-7', 'edge-7'].map((id) => idFrom(trusted, address, id))
    for (const id of ids) expect(id).toMatch(OWN)
    expect(ids[0]).not.toBe(ids[1])
  })

  it('is on every reply: pages, calls, refusals and what is not there', async () => {
    context = await startTestServer({ TRUST_PROXY: '127.0.0.1' })
    const paths: [string, Record<string, string>][] = [
      ['/dashboard', { accept: 'text/html' }],
      ['/openapi.json', {}],
      ['/api/clients/list', {}],
      ['/nowhere', {}],
      ['/readyz', {}],
    ]
    const replies = await Promise.all(
      paths.map(([path, headers]) =>
        fetch(context.address + path, { headers: { ...headers, 'x-request-id': `edge-${path.length}` } }),
      ),
    )
    expect(replies.map(({ status, headers }) => [status, headers.get('x-request-id')])).toEqual(
      [200, 200, 401, 404, 200].map((status, at) => [status, `edge-${paths[at][0].length}`]),
    )
  })
})

import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { readSettings } from '../../src/server/settings.ts'
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

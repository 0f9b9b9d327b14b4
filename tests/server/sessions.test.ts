import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { describeDevice } from '../../src/server/access/describeDevice.ts'
import { type Caller, describeServer, signIn } from './context.ts'

const context = describeServer()

const come = (username: string) => signIn(context.contract, context.address, username)
const listOf = async (who: Caller) => (await who('sessions.mine')).body.data
const isIn = async (who: Caller) => (await who('auth.me')).status === 200

describe('one’s own sessions', () => {
  it('are those that last, this one first, and never their token', async () => {
    const [first, second] = [await come('hub'), await come('hub')]
    const { status, body } = await second('sessions.mine')
    expect([status, body.pagination.count]).toEqual([200, 2])
    expect(body.data).toMatchObject([
      { is_current: true, ip_address: '127.0.0.1', device: 'Unknown device' },
      { is_current: false },
    ])
    expect(Object.keys(body.data[0]).sort()).toEqual(
      Object.keys(context.contract.entities.ownSession.properties).sort(),
    )
    expect(JSON.stringify(body)).not.toMatch(new RegExp(`${first.key}|token|hash`))
    await sql`update session set seen_at = now() - interval '1 hour' where id = ${body.data[1].id}`.execute(
      context.db,
    )
    expect(await listOf(second)).toHaveLength(1)
  })

  it('end one by one, at once, and only those of oneself', async () => {
    const [here, there, stranger] = [await come('advocate'), await come('advocate'), await come('partner')]
    const { id } = (await listOf(here)).find((one: { is_current: boolean }) => !one.is_current)
    expect((await stranger('sessions.end', { params: { id } })).status).toBe(404)
    expect(await isIn(there)).toBe(true)
    expect((await here('sessions.end', { params: { id } })).status).toBe(204)
    expect([await isIn(here), await isIn(there), await isIn(stranger)]).toEqual([true, false, true])
    expect((await here('sessions.end', { params: { id } })).status).toBe(404)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from access_log
      where username = 'advocate' and logout_time is not null`.execute(context.db)
    expect(rows[0].n).toBe(1)
  })

  it('end all but this one', async () => {
    const others = [await come('manager'), await come('manager'), await come('manager')]
    const [here, stranger] = [await come('manager'), await come('volunteer')]
    expect((await here('sessions.endOthers')).body).toEqual({ ended: 3 })
    expect(await Promise.all([...others, here, stranger].map(isIn))).toEqual([
      false,
      false,
      false,
      true,
      true,
    ])
    expect((await here('sessions.endOthers')).body).toEqual({ ended: 0 })
  })
})

describe('leave', () => {
  const turn = (who: Caller, status: unknown) => who('auth.switchStatus', { body: { status } })

  it('begins and ends by oneself, and is audited', async () => {
    const commissioner = await come('commissioner')
    expect(await turn(commissioner, 4)).toMatchObject({
      status: 200,
      body: { status: 4, username: 'commissioner' },
    })
    expect((await commissioner('auth.me')).body.status).toBe(4)
    expect((await turn(commissioner, 4)).status).toBe(200)
    expect((await turn(commissioner, 1)).body.status).toBe(1)
    const { rows } = await sql`select version, changes -> 'status' as status from audit
      where entity = 'staff' and record = ${commissioner.id} order by version`.execute(context.db)
    expect(rows).toEqual([
      { version: 2, status: { from: 1, to: 4 } },
      { version: 3, status: { from: 4, to: 1 } },
    ])
  })

  it.each([2, 3, 5, '4', null])('is the only status: %j is refused', async (status) => {
    const partner = await context.as('partner')
    expect((await turn(partner, status)).status).toBe(400)
    expect((await partner('auth.me')).body.status).toBe(1)
  })
})

describe('a device in words', () => {
  const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0 Safari/537.36'
  it.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/130.0`, 'Edge on Windows'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [`Mozilla/5.0 (Linux; Android 14; Pixel 8) ${CHROME} SamsungBrowser/25.0`, 'Samsung Internet on Android'],
    ['curl/8.0 (Linux)', 'A program on Linux'],
    ['<script>', 'Unknown device'],
    [null, 'Unknown device'],
  ])('%s', (agent, words) => {
    expect(describeDevice(agent)).toBe(words)
  })
})

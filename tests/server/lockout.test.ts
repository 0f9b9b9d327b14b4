import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { clearGuesses, reserveGuess, returnGuess } from '../../src/server/access/lockout.ts'
import { startSession } from '../../src/server/access/startSession.ts'
import type { Call } from '../../src/server/core/call.ts'
import { type Database, openDatabase } from '../../src/server/core/db.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { freshDatabase } from './database.ts'

const ACCOUNTS = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay']
const ADDRESSES = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6']
/** Guesses at every account from every address, all at the same time. */
const EACH = 6
const EVERY = ACCOUNTS.flatMap((account) =>
  ADDRESSES.flatMap((address) => Array.from({ length: EACH }, (_, i) => ({ account, address, i }))),
)
const settings = { ...readSettings({}), LOCK_AFTER: 1000, LOCK_ADDRESS_AFTER: 1000 }

let pools: Database
let drop: () => Promise<void>
beforeAll(async () => {
  const fresh = await freshDatabase()
  drop = fresh.drop
  // Enough connections for every pair of statements to meet.
  pools = openDatabase(fresh.url, { size: 24 })
  for (const username of ACCOUNTS)
    await sql`insert into staff (username) values (${username})`.execute(pools.db)
})
beforeEach(() => sql`truncate access_attempt`.execute(pools.db))
afterAll(async () => {
  await pools?.close()
  await drop?.()
})

function from(ip: string, limits: Partial<typeof settings> = {}): Call {
  const request = { ip, headers: {}, cookies: {}, routeOptions: { url: '/login/' } }
  return { db: pools.db, settings: { ...settings, ...limits }, request } as unknown as Call
}

async function counts(of: 'account' | 'address'): Promise<Record<string, number>> {
  const { rows } = await sql<{ name: string; n: number }>`
    select coalesce(username, ip_address) as name, failures_since_start as n from access_attempt
    where ${of === 'account' ? sql`username is not null` : sql`username is null`} order by name`.execute(
    pools.db,
  )
  return Object.fromEntries(rows.map(({ name, n }) => [name, n]))
}

const all = (names: string[], n: number) => Object.fromEntries(names.map((name) => [name, n]))

describe('at the same time, guesses at every account from every address', () => {
  it('are all counted, and none twice', async () => {
    await Promise.all(
      EVERY.map(async ({ account, address }) => {
        expect(await reserveGuess(from(address), account)).toBe(true)
      }),
    )
    expect(await counts('account')).toEqual(all(ACCOUNTS, ADDRESSES.length * EACH))
    expect(await counts('address')).toEqual(all(ADDRESSES, ACCOUNTS.length * EACH))
  })

  it('are reset one by one, while others go on', async () => {
    await Promise.all(
      EVERY.map(async ({ account, address, i }) => {
        await reserveGuess(from(address), account)
        if (i % 2) await returnGuess(from(address), account)
      }),
    )
    expect(await counts('account')).toEqual(all(ACCOUNTS, (ADDRESSES.length * EACH) / 2))
    expect(await counts('address')).toEqual(all(ADDRESSES, (ACCOUNTS.length * EACH) / 2))
  })

  it('leave nothing behind once all are reset', async () => {
    await Promise.all(
      EVERY.map(async ({ account, address }) => {
        await reserveGuess(from(address), account)
        await returnGuess(from(address), account)
      }),
    )
    expect([await counts('account'), await counts('address')]).toEqual([{}, {}])
  })

  it('are cleared by those who sign in, each of whom gets in', async () => {
    const { rows } = await sql<{ id: number; username: string }>`select id, username from staff`.execute(
      pools.db,
    )
    const ids = new Map(rows.map(({ id, username }) => [username, id]))
    const started = await Promise.all(
      EVERY.map(async ({ account, address, i }) => {
        const call = from(address)
        await reserveGuess(call, account)
        if (i % 3 === 0) await clearGuesses(call, account)
        return startSession(call, ids.get(account)!, account, 'password')
      }),
    )
    expect(started.map((session) => session?.me.username)).toEqual(EVERY.map(({ account }) => account))
    expect(await counts('account')).toEqual({})
    const { rows: sessions } = await sql<{ n: number }>`select count(*)::int as n from session s
      join access_log l on l.id = s.access_log and l.succeeded and l.ip_address = s.ip_address`.execute(
      pools.db,
    )
    expect(sessions[0].n).toBe(EVERY.length)
  })
})

describe('a sign-in that waits for the count of an account', () => {
  const idOf = async (name: string) => {
    const { rows } = await sql<{ id: number }>`select id from staff where username = ${name}`.execute(
      pools.db,
    )
    return rows[0].id
  }
  it.each<[string, (call: Call, name: string) => Promise<unknown>]>([
    ['to guess', (call, name) => reserveGuess(call, name)],
    ['to take a guess back', (call, name) => returnGuess(call, name)],
    ['to clear it', (call, name) => clearGuesses(call, name)],
    ['to sign in', async (call, name) => startSession(call, await idOf(name), name, 'password')],
  ])('%s does not hold that of the address, which would be a deadlock', async (_, act) => {
    const [account, address] = [ACCOUNTS[0], ADDRESSES[0]]
    await reserveGuess(from(address), account)
    let acted: Promise<unknown> | undefined
    await pools.db.transaction().execute(async (tx) => {
      await sql`select from access_attempt where username = ${account} for update`.execute(tx)
      acted = act(from(address), account)
      const waiting = () =>
        sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
          pools.db,
        )
      await expect.poll(async () => (await waiting()).rows.length).toBe(1)
      await sql`select from access_attempt where username is null for update nowait`.execute(tx)
    })
    await acted
  })
})

describe('a locked address', () => {
  it('lets as many guesses through as its limit, and none of the others counts for an account', async () => {
    const call = from(ADDRESSES[0], { LOCK_ADDRESS_AFTER: 10 })
    const reserved = await Promise.all(EVERY.map(({ account }) => reserveGuess(call, account)))
    expect(reserved.filter(Boolean)).toHaveLength(10)
    const left = Object.values(await counts('account')).reduce((sum, n) => sum + n, 0)
    expect([left, await counts('address')]).toEqual([10, { [ADDRESSES[0]]: 10 }])
  })
})

describe('a locked account', () => {
  it('is not guessed at from anywhere, and no address is blamed for more than was validated', async () => {
    const limits = { LOCK_AFTER: 5 }
    const reserved = await Promise.all(
      EVERY.map(({ address }) => reserveGuess(from(address, limits), ACCOUNTS[0])),
    )
    expect(reserved.filter(Boolean)).toHaveLength(5)
    const blamed = Object.values(await counts('address')).reduce((sum, n) => sum + n, 0)
    expect([await counts('account'), blamed]).toEqual([{ [ACCOUNTS[0]]: 5 }, 5])
  })
})

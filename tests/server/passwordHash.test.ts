import crypto, { scryptSync } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { hashing, hashPassword, isPassword } from '../../src/server/access/password.ts'
import { PASSWORD, startTestServer, type TestContext } from './context.ts'

const COST = 11
const runs = { running: 0, most: 0, work: 0 }

beforeAll(() => {
  const { scrypt } = crypto
  const counting = (...[password, salt, length, options, done]: Parameters<typeof scrypt>) => {
    runs.running++
    runs.most = Math.max(runs.most, runs.running)
    runs.work += options.N!
    scrypt(password, salt, length, options, (...result) => {
      runs.running--
      done(...result)
    })
  }
  vi.spyOn(crypto, 'scrypt').mockImplementation(counting as typeof scrypt)
  // Modules that were imported earlier call the spy too.
  syncBuiltinESMExports()
})
afterAll(() => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
})

let context: TestContext | undefined
beforeEach(() => {
  Object.assign(runs, { running: 0, most: 0, work: 0 })
})
afterEach(async () => {
  await context?.end()
  context = undefined
})

const salt = Buffer.from('sixteen bytes ok')
/** A hash as it was stored before its text said what it costs. */
const OLD_HASH = `scrypt$${salt.toString('base64url')}$${scryptSync(PASSWORD, salt, 32, {
  N: 2 ** 15,
  r: 8,
  p: 1,
  maxmem: 2 ** 26,
}).toString('base64url')}`

it('a hash carries its parameters, and every stored one is validated by its own', async () => {
  const hash = await hashPassword(PASSWORD, COST)
  expect(hash).toMatch(/^\$scrypt\$ln=11,r=8,p=1\$[\w+/]{22}\$[\w+/]{43}$/)
  expect(await hashPassword(PASSWORD, COST)).not.toBe(hash)
  for (const stored of [hash, OLD_HASH]) {
    expect(await isPassword(PASSWORD, stored, COST)).toBe(true)
    expect(await isPassword('another one of mine', stored, COST)).toBe(false)
  }
  for (const none of [undefined, null, '', 'scrypt$', '$scrypt$ln=11,r=8,p=1$$'])
    expect(await isPassword('', none, COST)).toBe(false)
})

it('the settings hash at 2^17 unless they say otherwise', async () => {
  const { readSettings } = await import('../../src/server/core/settings.ts')
  expect(readSettings({}).PASSWORD_COST).toBe(17)
  expect(() => readSettings({ PASSWORD_COST: '9' })).toThrow(
    'PASSWORD_COST must be a whole number from 10 to 20.',
  )
})

const login = async (username: string, password: string) =>
  (await context!.as())('auth.login', { body: { username, password } })
const store = (hash: string | null, username: string) =>
  sql`update staff set password_hash = ${hash} where username = ${username}`.execute(context!.db)
const stored = async (username: string) => {
  const { rows } = await sql<{
    hash: string
  }>`select password_hash as hash from staff where username = ${username}`.execute(context!.db)
  return rows[0].hash
}

it('a name that is not known costs as much as one with the slowest hash, with a cheaper one, or with none', async () => {
  context = await startTestServer({ PASSWORD_COST: String(COST) })
  await store(OLD_HASH, 'hub')
  await store(null, 'partner')
  const works = []
  for (const username of ['nobody', 'hub', 'advocate', 'partner']) {
    runs.work = 0
    expect((await login(username, 'not the password')).status).toBe(401)
    works.push(runs.work)
  }
  expect(works).toEqual(Array(4).fill(2 ** 15))
})

it('a cheaper hash is made anew at sign-in, and is good afterwards', async () => {
  context = await startTestServer({ PASSWORD_COST: '16' })
  await store(OLD_HASH, 'hub')
  expect((await login('hub', 'not the password')).status).toBe(401)
  expect(await stored('hub')).toBe(OLD_HASH)
  expect((await login('hub', PASSWORD)).status).toBe(200)
  await expect.poll(() => stored('hub')).toMatch(/^\$scrypt\$ln=16,/)
  const strong = await stored('hub')
  expect((await login('hub', PASSWORD)).status).toBe(200)
  expect(await stored('hub')).toBe(strong)
})

it('however many sign in at once, two passwords are hashed at the same time', async () => {
  context = await startTestServer({ PASSWORD_COST: String(COST) })
  const names = ['admin', 'manager', 'hub', 'hubmanager', 'advocate', 'volunteer', 'partner', 'stranger']
  const replies = await Promise.all([...names, ...names].map((name) => login(name, PASSWORD)))
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(runs.most).toBe(2)
  // None of their guesses is left, neither at an account nor at the address of all.
  expect((await sql`select * from access_attempt`.execute(context.db)).rows).toEqual([])
})

it('a sign-in that is refused for lack of capacity gets a 503 and does not count as a guess', async () => {
  context = await startTestServer()
  let stop = () => {}
  const stopped = new Promise<void>((resolve) => {
    stop = resolve
  })
  const others = Array.from({ length: 202 }, () => hashing(() => stopped))
  const refused = await Promise.all(Array.from({ length: 4 }, () => login('hub', PASSWORD)))
  stop()
  await Promise.all(others)
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual(Array(4).fill([503, 'busy']))
  expect((await sql`select * from access_attempt`.execute(context.db)).rows).toEqual([])
  expect((await login('hub', PASSWORD)).status).toBe(200)
})

import { sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { describeServer, PASSWORD } from './context.ts'

const LIMIT = 6
const context = describeServer({ LOCK_AFTER: '5', LOCK_ADDRESS_AFTER: String(LIMIT) })
beforeEach(() => sql`truncate access_attempt, known_device`.execute(context.db))

async function signIn(username: string, password: string, cookie = '') {
  const { headers } = await context.as()
  const cookies = [headers.cookie, cookie].filter(Boolean).join('; ')
  const reply = await fetch(`${context.address}/login/`, {
    method: 'POST',
    headers: { ...headers, cookie: cookies, 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  await reply.arrayBuffer()
  return {
    status: reply.status,
    cookie: reply.headers.getSetCookie().find((one) => one.startsWith('_device=')),
  }
}
const cookieOf = (set: string | undefined) => set!.split(';')[0]

async function lockAddress() {
  for (let i = 0; i < LIMIT; i++) await signIn(`nobody${i}`, 'wrong')
  expect((await signIn('nobody', 'wrong')).status).toBe(423)
}

it('lets in who signed in here before while others have locked the address, and nobody else', async () => {
  const first = await signIn('advocate', PASSWORD)
  expect(first.cookie).toMatch(/^_device=[\w-]{40,}; .*HttpOnly.*SameSite=Strict/i)
  const cookie = cookieOf(first.cookie)
  await lockAddress()
  expect((await signIn('advocate', PASSWORD)).status).toBe(423)
  expect((await signIn('partner', PASSWORD, cookie)).status).toBe(423)
  expect((await signIn('advocate', PASSWORD, '_device=made-up')).status).toBe(423)
  const again = await signIn('advocate', PASSWORD, cookie)
  expect(again.status).toBe(200)
  // The address is still locked for others, whatever was subtracted.
  expect((await signIn('partner', PASSWORD)).status).toBe(423)
  // The cookie is replaced, and the old one is worth nothing.
  expect((await signIn('advocate', PASSWORD, cookie)).status).toBe(423)
  expect((await signIn('advocate', PASSWORD, cookieOf(again.cookie))).status).toBe(200)
})

it('does not help to guess the password of its own person', async () => {
  const cookie = cookieOf((await signIn('advocate', PASSWORD)).cookie)
  const statuses = []
  for (let i = 0; i < 6; i++) statuses.push((await signIn('advocate', 'wrong', cookie)).status)
  expect(statuses).toEqual([401, 401, 401, 401, 401, 423])
  expect((await signIn('advocate', PASSWORD, cookie)).status).toBe(423)
})

it('is stored as a hash, for ten browsers of a person, until the password changes', async () => {
  const cookies = []
  for (let i = 0; i < 12; i++) cookies.push(cookieOf((await signIn('hub', PASSWORD)).cookie))
  const { rows } = await sql<{
    all: string
    n: number
  }>`select string_agg(d::text, ' ') as all, count(*)::int as n
    from known_device d`.execute(context.db)
  expect(rows[0].n).toBe(10)
  for (const cookie of cookies) expect(rows[0].all).not.toContain(cookie.split('=')[1])
  const hub = await context.as('hub')
  const body = { old_password: PASSWORD, password: 'another long enough one' }
  expect((await hub('passwords.change', { body })).status).toBeLessThan(300)
  const { rows: left } = await sql`select 1 from known_device d join staff s on s.id = d.staff
    where s.username = 'hub'`.execute(context.db)
  expect(left).toEqual([])
})

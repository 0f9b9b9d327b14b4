import { afterEach, expect, it } from 'vitest'
import { startTestServer, type TestContext } from './context.ts'

let context: TestContext
afterEach(() => context?.end())

const ADDRESSES = [
  '/login',
  '/openapi.json',
  '/healthz',
  '/api_admin/csrf_token/',
  '/cases/',
  '/no-such-call/',
]

/** What every address says of how the product is to be reached. */
async function headersOf(settings: Record<string, string>) {
  context = await startTestServer(settings)
  const replies = await Promise.all(
    ADDRESSES.map((path) =>
      fetch(context.address + path, {
        headers: { accept: path === '/login' ? 'text/html' : 'application/json' },
      }),
    ),
  )
  const cookie = replies[3].headers.get('set-cookie')
  return { headers: replies.map(({ headers }) => headers), cookie }
}

it('every reply over https has Strict-Transport-Security', async () => {
  const { headers, cookie } = await headersOf({ PUBLIC_URL: 'https://casework.example.org' })
  for (const [i, one] of headers.entries()) {
    const hsts = one.get('strict-transport-security')
    expect([ADDRESSES[i], hsts]).toEqual([ADDRESSES[i], 'max-age=31536000; includeSubDomains'])
    expect([ADDRESSES[i], one.get('referrer-policy')]).toEqual([ADDRESSES[i], 'same-origin'])
  }
  // Bound to this host, and calls go on with it.
  expect(cookie).toMatch(/^__Host-csrf=[^;]+; Path=\/; HttpOnly; Secure; SameSite=Strict$/)
  const admin = await context.as('admin')
  expect((await admin.raw('/client/1/retire/')).status).toBe(404)
})

it('without https, cookies reach the server all the same', async () => {
  const { headers, cookie } = await headersOf({ PUBLIC_URL: 'http://casework.example.org' })
  for (const one of headers) expect(one.get('strict-transport-security')).toBeNull()
  expect(cookie).not.toContain('Secure')
})

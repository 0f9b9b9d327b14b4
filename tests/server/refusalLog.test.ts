import { resolve } from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { callOf, fillPath } from '../../src/contract/call.ts'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'

let context: TestContext
let advocate: Caller
let app: FastifyInstance
beforeAll(async () => {
  context = await startTestServer()
  advocate = await context.as('advocate')
  app = await createApp({
    ...context.pools,
    databaseUrl: context.databaseUrl,
    contract: context.contract,
    settings: readSettings({ LOG_LEVEL: 'silent', LOCK_AFTER: '2', PASSWORD_COST: '10' }),
    web: resolve('dist/web'),
  })
})
afterEach(() => vi.restoreAllMocks())
afterAll(async () => {
  await app?.close()
  await context?.end()
})

/** What the log says of one call, and how loudly. */
async function logged(url: string, options: InjectOptions = {}) {
  const [warn, info] = [vi.spyOn(app.log, 'warn'), vi.spyOn(app.log, 'info')]
  await app.inject({ ...options, url, headers: { ...advocate.headers, ...options.headers } })
  const level = await vi.waitUntil(() => (warn.mock.lastCall ? 'warn' : info.mock.lastCall && 'info'))
  return { level, line: (level === 'warn' ? warn : info).mock.lastCall![0] as unknown }
}

const login = (username: string): [string, InjectOptions] => {
  const { path } = callOf(context.contract.endpoints['auth.login'])
  return [path, { method: 'POST', payload: { username, password: 'hush-hush-hush' } }]
}

it.each<[refused: string, status: number, call: () => [string, InjectOptions?]]>([
  ['unauthenticated', 401, () => ['/api/staff/me/info', { headers: { authorization: '' } }]],
  ['wrongPassword', 401, () => login('hub')],
  ['forbidden', 403, () => ['/api_admin/core/']],
  ['csrf', 403, () => ['/client/1/retire/', { headers: { 'x-csrftoken': 'made up' } }]],
])('a refusal is a warning by its kind: %s', async (refused, status, call) => {
  const { level, line } = await logged(...call())
  expect([level, line]).toMatchObject(['warn', { refused, status, ip: '127.0.0.1' }])
  expect(JSON.stringify(line)).not.toContain('hush')
})

it('a signed-in person is logged by number, also where their roles do not suffice', async () => {
  expect((await logged('/api_admin/core/')).line).toMatchObject({ status: 403, staff: advocate.id })
})

it('so is one for too many tries', async () => {
  for (let i = 0; i < 2; i++) await logged(...login('partner'))
  vi.restoreAllMocks()
  expect(await logged(...login('partner'))).toMatchObject({
    level: 'warn',
    line: { refused: 'locked', status: 423 },
  })
})

it('a mistake or a good call logs no warning, and its line has no address', async () => {
  const wrong = await logged(fillPath(callOf(context.contract.endpoints['cases.read']).path, { id: 999_999 }))
  expect(wrong).toMatchObject({
    level: 'info',
    line: { refused: 'notFound', status: 404, staff: advocate.id },
  })
  vi.restoreAllMocks()
  const good = await logged('/api/staff/me/info')
  expect(good.level).toBe('info')
  for (const { line } of [wrong, good]) expect(line).not.toHaveProperty('ip')
  expect(good.line).not.toHaveProperty('refused')
})

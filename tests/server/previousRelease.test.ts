import { cpSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { createApp } from '../../src/server/http/app.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { startTestServer, type TestContext } from './context.ts'

const web = temporaryFolder('web')
let context: TestContext
beforeAll(async () => {
  context = await startTestServer()
})
afterAll(async () => {
  await context.end()
  rmSync(web, { recursive: true })
})

it('a page of the release before loads what it had not loaded yet, and a new page another release', async () => {
  cpSync(resolve('dist/web'), web, { recursive: true })
  const late = readdirSync(`${web}/assets`).find((name) => /^record-.*\.js$/.test(name))!
  const serve = async <T>(ask: (get: (path: string) => Promise<Response>) => Promise<T>): Promise<T> => {
    const { contract, databaseUrl, pools } = context
    const settings = readSettings({ LOG_LEVEL: 'silent' })
    const app = await createApp({ ...pools, databaseUrl, contract, settings, web })
    try {
      const address = await app.listen({ host: '127.0.0.1', port: 0 })
      return await ask((path) => fetch(address + path, { headers: { accept: 'text/html' } }))
    } finally {
      await app.close()
    }
  }
  const releaseOf = async (reply: Response) =>
    (await reply.text()).match(/name="release" content="(\d+)"/)?.[1]
  const before = await serve(async (get) => releaseOf(await get('/login')))
  expect(await serve(async (get) => releaseOf(await get('/login')))).toBe(before)
  mkdirSync(`${web}/previous`, { recursive: true })
  renameSync(`${web}/assets/${late}`, `${web}/previous/${late}`)
  writeFileSync(`${web}/index.html`, '<!doctype html><!--head--><title>Another</title>')
  const [after, script, missing] = await serve(async (get) => [
    await releaseOf(await get('/login')),
    await get(`/assets/${late}`),
    await get('/assets/nothing-12345678.js'),
  ])
  expect(after).toMatch(/^\d+$/)
  expect(after).not.toBe(before)
  expect([script.status, script.headers.get('cache-control')]).toEqual([
    200,
    'public, max-age=31536000, immutable',
  ])
  expect(missing.status).toBe(404)
})

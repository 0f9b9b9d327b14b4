import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { StartProblem } from '../../src/server/core/startProblem.ts'
import { listen } from '../../src/server/http/listen.ts'
import { PATIENCE_MS, patience } from '../../src/server/http/patience.ts'
import { startTestServer } from './context.ts'

let previous: Server
let port: number
let app: FastifyInstance
let warnings: string[]

beforeEach(async () => {
  previous = createServer().listen(0, '127.0.0.1')
  await once(previous, 'listening')
  port = (previous.address() as AddressInfo).port
  app = Fastify()
  warnings = []
  vi.spyOn(console, 'warn').mockImplementation((text) => void warnings.push(text))
})
afterEach(async () => {
  vi.restoreAllMocks()
  await app.close()
  if (previous.listening) previous.close()
})

/** Frees the port once the console says that a start waits for it. */
async function endPrevious(): Promise<void> {
  await vi.waitUntil(() => warnings.length > 0, PATIENCE_MS)
  previous.close()
}

const waitingFor = (one: number) => [`Port ${one} is in use by another program. Waiting up to 20 seconds.`]

it('a start waits for the process before it to leave the port, and says so', async () => {
  const starting = listen(app, { HOST: '127.0.0.1', PORT: port })
  await endPrevious()
  expect(await starting).toBe(`http://127.0.0.1:${port}`)
  expect(warnings).toEqual(waitingFor(port))
})

it('a start waits for the port of the metrics alike', async () => {
  const starting = startTestServer({ METRICS_PORT: String(port), HOST: '127.0.0.1' })
  await endPrevious()
  const context = await starting
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200)
  expect(warnings).toEqual(waitingFor(port))
  await context.end()
})

it('a port that stays in use is refused with what to do', async () => {
  const { HOST } = readSettings({})
  const problem = await listen(app, { HOST, PORT: port }, patience(0)).catch((error) => error)
  expect(problem).toBeInstanceOf(StartProblem)
  expect(problem.message).toBe(
    `Port ${port} is in use by another program. Stop it, or set PORT to another one.`,
  )
  expect(previous.listening).toBe(true)
})

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import { JOBS } from '../../src/server/ops/jobs/jobs.ts'
import { runJobs } from '../../src/server/ops/jobs/runJobs.ts'
import { itInFull } from '../full.ts'
import { temporaryFolder } from '../temporaryFolder.ts'
import { send, workbook } from './bulkFiles.ts'
import { type Collector, type SentSpan, startCollector } from './collector.ts'
import { type Caller, startTestServer, type TestContext } from './context.ts'
import { createCase } from './newCase.ts'
import { startProduct } from './product.ts'
import { type MailServer, startMailServer } from './smtp.ts'

const NOBODY = 'http://127.0.0.1:9'
const TRACE = '0af7651916cd43dd8448eb211c80319c'
const PARENT = 'b7ad6b7169203331'
/** What OpenTelemetry's own variables say in these tests: spans are sent at once. */
const VARIABLES = { OTEL_BSP_SCHEDULE_DELAY: '20', OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc' }

let collector: Collector
beforeAll(async () => {
  for (const [name, value] of Object.entries(VARIABLES)) vi.stubEnv(name, value)
  collector = await startCollector()
})
afterAll(async () => {
  await collector?.end()
  vi.unstubAllEnvs()
})

/** Waits for a span that was sent and is like this. */
async function spanLike(expected: Partial<SentSpan>, sent = collector): Promise<SentSpan> {
  const found = () => sent.spans().filter((span) => matches(span, expected))
  await expect.poll(() => found().length).toBeGreaterThan(0)
  return found().at(-1)!
}
const matches = (span: SentSpan, { attributes = {}, ...rest }: Partial<SentSpan>) =>
  Object.entries(rest).every(([key, value]) => span[key as keyof SentSpan] === value) &&
  Object.entries(attributes).every(([key, value]) => span.attributes[key] === value)
const partsOf = ({ spanId }: SentSpan) => collector.spans().filter((one) => one.parentSpanId === spanId)

describe('with a collector', () => {
  let context: TestContext
  let mails: MailServer
  let addresses: ReturnType<typeof createServer>
  let admin: Caller
  let logged: Record<string, unknown>[] = []
  beforeAll(async () => {
    mails = await startMailServer()
    addresses = createServer((_, reply) => reply.writeHead(500).end('no'))
    await new Promise<void>((resolve) => addresses.listen(0, '127.0.0.1', resolve))
    context = await startTestServer({
      OTLP_URL: collector.url,
      TRUST_PROXY: '127.0.0.1',
      SMTP_URL: mails.url,
      ADDRESS_URL: `http://127.0.0.1:${(addresses.address() as AddressInfo).port}/`,
    })
    const keep = (line: Record<string, unknown>) => logged.push(line)
    context.app.log.info = keep as typeof context.app.log.info
    admin = await context.as('admin')
  })
  afterAll(async () => {
    await context?.end()
    mails?.end()
    addresses?.close()
  })

  it('a call is a span named by its address, with its queries as parts, and its log line has the trace', async () => {
    logged = []
    const headers = { 'x-request-id': 'edge-list-1' }
    await admin('clients.list', { query: { term: 'Featherstone', page: 1 }, headers })
    const span = await spanLike({ attributes: { 'casework.request_id': 'edge-list-1' } })
    expect(span).toMatchObject({
      name: 'GET /api/clients/list',
      kind: 2,
      isError: false,
      attributes: {
        'http.request.method': 'GET',
        'http.route': '/api/clients/list',
        'http.response.status_code': 200,
        'casework.call': 'clients.list',
      },
    })
    expect(span.parentSpanId).toBeUndefined()
    const queries = partsOf(span)
    expect(queries.every(({ traceId, kind }) => traceId === span.traceId && kind === 3)).toBe(true)
    expect(queries.map(({ name }) => name)).toContain('with session')
    expect(queries).toContainEqual(
      expect.objectContaining({
        attributes: {
          'db.system.name': 'postgresql',
          'db.query.text': expect.stringMatching(/client_rows.*\$1/),
          'casework.pool': 'ordinary',
        },
      }),
    )
    await expect.poll(() => logged.map(({ trace_id }) => trace_id)).toContain(span.traceId)
    expect(collector.requests[0]).toEqual({ path: '/v1/traces', authorization: 'Bearer abc' })
  })

  it('a write shows its transaction, and an address its ids nowhere', async () => {
    const { client } = await createCase(admin)
    await admin('clients.update', { params: { id: client }, body: { last_name: 'Featherstone' } })
    const span = await spanLike({ name: 'PATCH /client/{id}/update/' })
    const names = partsOf(span).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['begin', 'update clients', 'insert audit', 'commit']))
  })

  it('what is refused says by which name; only a fault of the server is an error', async () => {
    await admin('clients.read', { params: { id: 999_999 } })
    expect(
      await spanLike({ name: 'GET /client/{id}/index/', attributes: { 'http.response.status_code': 404 } }),
    ).toMatchObject({ isError: false, attributes: { 'casework.refused': 'notFound' } })
    await sql`alter view client_rows rename to client_rows_away`.execute(context.db)
    await admin('clients.list')
    await sql`alter view client_rows_away rename to client_rows`.execute(context.db)
    const failed = await spanLike({ name: 'GET /api/clients/list', isError: true })
    expect(failed.attributes['error.type']).toBe('500')
    const query = partsOf(failed).find(({ isError }) => isError)
    expect(query?.attributes['error.type']).toBe('42P01')
  })

  it('an open stream is a span that ends when it begins', async () => {
    await admin.raw('/api/news/stream')
    await spanLike({ attributes: { 'casework.call': 'versionEvents.stream' } })
  })

  it('emails after a reply, and the service of addresses, are spans of the trace of their call', async () => {
    const body = { username: 'bo', first_name: 'Bo', last_name: 'Lowe', email: 'bo@example.org', groups: [4] }
    await admin('staff.add', { body })
    const mail = await spanLike({ name: 'send mail' })
    const call = await spanLike({ attributes: { 'casework.call': 'staff.add' } })
    expect(mail.traceId).toBe(call.traceId)
    await admin('addresses.byPostcode', { query: { postcode: 'ZZ99 9ZZ' } })
    expect(await spanLike({ name: 'find addresses' })).toMatchObject({
      isError: true,
      attributes: { 'error.type': '500' },
    })
  })

  it('a job and a bulk upload are traces of their own', async () => {
    const { contract, db, app } = context
    const { tracing, log } = app
    const ending = new AbortController().signal
    const jobs = { contract, db, settings: readSettings({}), log, ending, tracing }
    await runJobs(jobs, {
      'forget sessions': JOBS['forget sessions'],
      'switch leave': () => sql`select ${'Featherstone'}::date`.execute(db),
    })
    const job = await spanLike({ name: 'job forget sessions' })
    expect(partsOf(job).map(({ name }) => name)).toContain('delete session')
    expect((await spanLike({ name: 'job switch leave' })).attributes['error.type']).toBe('22007')
    const hub = await context.as('hub')
    await send(hub, workbook([['Last name'], ['Featherstone']]), { case_type: '1', check: 'true' })
    expect((await spanLike({ name: 'bulk reading' })).parentSpanId).toBeUndefined()
  })

  it('a traceparent of a trusted proxy is continued, recorded or not, and an invalid one begins a new trace', async () => {
    const call = (id: string, traceparent: string) =>
      admin('auth.csrf', { headers: { traceparent, 'x-request-id': id } })
    await call('not-recorded', `00-${TRACE}-${PARENT}-00`)
    await call('recorded', `00-${TRACE}-${PARENT}-01`)
    await call('unreadable', `00-${TRACE}-zz-01`)
    expect(await spanLike({ attributes: { 'casework.request_id': 'recorded' } })).toMatchObject({
      traceId: TRACE,
      parentSpanId: PARENT,
    })
    const span = await spanLike({ attributes: { 'casework.request_id': 'unreadable' } })
    expect(span.traceId).not.toBe(TRACE)
    expect(span.parentSpanId).toBeUndefined()
    expect(collector.bytes()).not.toContain('not-recorded')
  })

  it('nothing about a person is in anything that was sent', async () => {
    const { client } = await createCase(admin)
    const secrets = ['Featherstone', 'Quillfeather', 'quill@example.org', 'bo@example.org', 'ZZ99', 'Example']
    await admin('clients.update', {
      params: { id: client },
      body: { first_name: 'Quillfeather', last_name: 'Featherstone', email: 'quill@example.org' },
    })
    await admin('search.quick', { query: { term: 'Quillfeather' } })
    await admin('clients.list', { query: { 'Quillfeather-unknown': 'Quillfeather' } })
    await admin('clients.update', { params: { id: client }, body: { dob: 'Quillfeather' } })
    await admin.raw('/api/nowhere/Quillfeather?term=Featherstone')
    await admin.raw('/client/Quillfeather/')
    const anyone = await context.as()
    await anyone('auth.login', { body: { username: 'Quillfeather', password: 'Featherstone' } })
    await admin('clients.list', { headers: { 'x-request-id': 'the-last-one' } })
    await spanLike({ attributes: { 'casework.request_id': 'the-last-one' } })
    for (const secret of [...secrets, admin.key, String(admin.headers.cookie)])
      expect(collector.bytes().toLowerCase()).not.toContain(secret.toLowerCase())
    const allowed = /^(http\.|db\.|error\.type$|casework\.)/
    for (const { attributes } of collector.spans())
      for (const name of Object.keys(attributes)) expect(name).toMatch(allowed)
  })
})

it('a ratio of traces is what OpenTelemetry’s own variables say, and no stranger’s traceparent records more', async () => {
  vi.stubEnv('OTEL_TRACES_SAMPLER', 'parentbased_traceidratio')
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', '0')
  const none = await startCollector()
  const context = await startTestServer({ OTLP_URL: none.url, TRUST_PROXY: '10.0.0.1' })
  vi.stubEnv('OTEL_TRACES_SAMPLER', undefined)
  vi.stubEnv('OTEL_TRACES_SAMPLER_ARG', undefined)
  const anyone = await context.as()
  await anyone('auth.csrf', { headers: { traceparent: `00-${TRACE}-${PARENT}-01` } })
  await context.end()
  expect(none.requests).toEqual([])
  await none.end()
})

itInFull(
  'while the collector is away calls go on, the log says so once, and the server ends in time',
  async () => {
    let status = 400
    const refusing = await startCollector(() => status)
    const context = await startTestServer({ OTLP_URL: `${refusing.url}/v1/traces` })
    const words: unknown[] = []
    context.app.log.warn = ((...said: unknown[]) => words.push(said[1])) as typeof context.app.log.warn
    context.app.log.info = ((said: unknown) => words.push(said)) as typeof context.app.log.info
    const admin = await context.as('admin')
    for (let i = 0; i < 5; i++) {
      const before = refusing.requests.length
      expect((await admin('clients.list')).status).toBe(200)
      await expect.poll(() => refusing.requests.length).toBeGreaterThan(before)
    }
    const said = (part: string) => words.filter((one) => String(one).includes(part))
    expect(said('takes no traces')).toHaveLength(1)
    status = 200
    await admin('clients.list')
    await expect.poll(() => said('takes traces again')).toHaveLength(1)
    expect(refusing.requests.at(-1)?.path).toBe('/v1/traces')
    await refusing.end()
    await admin('clients.list')
    const began = performance.now()
    await context.end()
    expect(performance.now() - began).toBeLessThan(5000)
  },
)

describe('a process', () => {
  let folder: string
  beforeAll(() => {
    folder = temporaryFolder('tracing-')
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** Which packages of OpenTelemetry a started product has loaded when it ends, and how that went. */
  async function loaded(env: Record<string, string>) {
    const [hook, file] = ['hook.cjs', 'loaded'].map((name) => join(folder, name))
    writeFileSync(
      hook,
      `process.on('exit', () => require('node:fs').writeFileSync(${JSON.stringify(file)},
        Object.keys(require.cache).filter((name) => name.includes('@opentelemetry')).join('\\n')))`,
    )
    const NODE_OPTIONS = `--require ${hook}`
    const product = await startProduct({ DATA_DIR: join(folder, 'data'), NODE_OPTIONS, ...env })
    await fetch(`${product.address}/api_admin/csrf_token/`)
    const began = performance.now()
    const code = await product.end('SIGTERM')
    expect(existsSync(file)).toBe(true)
    return { code, ms: performance.now() - began, files: readFileSync(file, 'utf8') }
  }

  // With METRICS_PORT or METRICS_TOKEN, prom-client loads @opentelemetry/api by itself.
  itInFull('without the setting loads nothing of OpenTelemetry', async () => {
    expect(await loaded({})).toMatchObject({ code: 0, files: '' })
  })

  itInFull('whose collector is away ends in time', async () => {
    const { code, ms, files } = await loaded({ OTLP_URL: NOBODY })
    expect(code).toBe(0)
    expect(files).toContain('exporter-trace-otlp-http')
    expect(ms).toBeLessThan(6000)
  })
})

it.each(['collector:4318', 'grpc://collector:4317', 'http://', 'https://a b'])(
  'OTLP_URL %s is refused in a sentence',
  (OTLP_URL) => {
    expect(() => readSettings({ OTLP_URL })).toThrow(
      'OTLP_URL must be an address that begins with http:// or https://, like http://127.0.0.1:4318.',
    )
  },
)

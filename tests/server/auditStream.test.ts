import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { readSettings } from '../../src/server/core/settings.ts'
import type { AuditLine } from '../../src/server/ops/auditStream/auditLine.ts'
import { sendAuditEvents } from '../../src/server/ops/auditStream/sendAuditEvents.ts'
import { startAuditStream } from '../../src/server/ops/auditStream/startAuditStream.ts'
import { writeSyslog } from '../../src/server/ops/auditStream/writeSyslog.ts'
import { itInFull } from '../full.ts'
import { type Caller, describeServer } from './context.ts'
import { createCase } from './newCase.ts'
import { startProduct } from './product.ts'

interface Line {
  id: number
  entity: string
  action: string
  record: number
  fields: string[]
}

const context = describeServer()
let advocate: Caller
beforeAll(async () => {
  advocate = await context.as('advocate')
  await sql`insert into audit_stream (id) values (1)`.execute(context.db)
})
beforeEach(async () => {
  await sql`delete from audit_outbox`.execute(context.db)
  await sql`update audit_stream set run_at = now(), worker = null, leased_until = null`.execute(context.db)
})

const warnings: unknown[] = []
const send = (url: string) =>
  sendAuditEvents({
    db: context.db,
    log: { warn: (line: unknown) => warnings.push(line) } as never,
    ending: new AbortController().signal,
    url,
  })
const queued = async () => {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from audit_outbox`.execute(context.db)
  return rows[0].n
}

describe('over HTTP', () => {
  let beforeReply: (() => Promise<void>) | undefined
  let [received, statuses]: [{ lines: Line[]; authorization?: string }[], number[]] = [[], []]
  const server = createServer(async (request, reply) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    received.push({ lines, authorization: request.headers.authorization })
    await beforeReply?.()
    reply.writeHead(statuses.shift() ?? 204).end()
  })
  let url: string
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `http://audit:secret@127.0.0.1:${(server.address() as AddressInfo).port}/lines`
  })
  afterAll(() => server.close())
  afterEach(() => {
    ;[received, statuses] = [[], []]
    beforeReply = undefined
  })

  it('sends who did what to which record, and no value', async () => {
    const { client } = await createCase(advocate)
    await advocate('clients.update', { params: { id: client }, body: { first_name: 'Featherstone' } })
    await send(url)
    const lines = received.flatMap((batch) => batch.lines)
    expect(lines).toContainEqual({
      id: expect.any(Number),
      at: expect.stringMatching(/Z$/),
      action: 'update',
      entity: 'client',
      record: client,
      version: 2,
      staff: advocate.id,
      client,
      case: null,
      issue: null,
      request: expect.any(String),
      fields: ['first_name'],
    })
    expect(JSON.stringify(received)).not.toContain('Featherstone')
    expect(received[0].authorization).toBe(`Basic ${Buffer.from('audit:secret').toString('base64')}`)
    expect(await queued()).toBe(0)
  })

  it('keeps what the receiver refuses, and sends it again', async () => {
    await createCase(advocate)
    const before = await queued()
    statuses = [503]
    await send(url)
    expect(warnings.at(-1)).toEqual({ code: 'HTTP 503' })
    expect(await queued()).toBe(before)
    // Not before its time.
    await send(url)
    expect(received).toHaveLength(1)
    await sql`update audit_stream set run_at = now()`.execute(context.db)
    await send(url)
    expect(received[1].lines).toEqual(received[0].lines)
    expect(await queued()).toBe(0)
  })

  it('sends an event whose transaction ended after that of a later one', async () => {
    const late = await context.db.startTransaction().execute()
    await sql`insert into audit (action, entity, record) values ('test', 'client', 1)`.execute(late)
    await sql`insert into audit (action, entity, record) values ('test', 'client', 2)`.execute(context.db)
    await send(url)
    await late.commit().execute()
    await send(url)
    expect(received.flatMap((batch) => batch.lines.map(({ record }) => record))).toEqual([2, 1])
  })

  it('is done by one server at a time', async () => {
    await sql`insert into audit (action, entity, record) select 'test', 'client', n from generate_series(1, 1201) n`.execute(
      context.db,
    )
    await Promise.all([send(url), send(url)])
    expect(received.map((batch) => batch.lines.length)).toEqual([500, 500, 201])
    const ids = received.flatMap((batch) => batch.lines.map(({ record }) => record))
    expect(new Set(ids).size).toBe(1201)
  })

  itInFull(
    'loses nothing by a kill after the receiver has a batch and before that leaves the queue',
    async () => {
      await sql`insert into audit (action, entity, record) select 'killed', 'client', n from generate_series(1, 700) n`.execute(
        context.db,
      )
      let unlock = async () => {}
      beforeReply = async () => {
        beforeReply = undefined
        const lock = await context.db.startTransaction().execute()
        await sql`select 1 from audit_stream for update`.execute(lock)
        unlock = () => lock.rollback().execute()
      }
      const env = { DATABASE_URL: context.databaseUrl, AUDIT_URL: url }
      const first = await startProduct(env)
      const waiting = await vi.waitUntil(async () => {
        const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%delete from audit_outbox%'`.execute(
          context.db,
        )
        return rows[0]?.pid
      }, 20_000)
      await first.end('SIGKILL')
      // As if its machine had gone: otherwise the database would still do what it was told last.
      await sql`select pg_terminate_backend(${waiting})`.execute(context.db)
      await unlock()
      expect(await queued()).toBeGreaterThanOrEqual(700)
      // The lease of the killed server ends after a minute.
      await sql`update audit_stream set leased_until = now()`.execute(context.db)
      const second = await startProduct(env)
      try {
        await expect.poll(queued, { timeout: 20_000 }).toBe(0)
      } finally {
        await second.end('SIGTERM')
      }
      const killed = received.map(({ lines }) => lines.filter(({ action }) => action === 'killed'))
      expect(killed[1].slice(0, killed[0].length)).toEqual(killed[0])
      expect(new Set(killed.flat().map(({ record }) => record)).size).toBe(700)
    },
  )

  it('leaves out what a purge has deleted meanwhile', async () => {
    await sql`insert into audit (action, entity, record) values ('test', 'client', 4711)`.execute(context.db)
    await sql`select purge_audit_events_below('client', '{4711}')`.execute(context.db)
    await send(url)
    expect([received, await queued()]).toEqual([[], 0])
  })
})

describe('by syslog over TLS', () => {
  const tls = (file: string) => readFileSync(`tests/fixtures/tls/${file}.pem`, 'utf8')
  let [text, isCut] = ['', false]
  const server = createTlsServer({ key: tls('key'), cert: tls('cert') }, (socket) => {
    if (isCut) socket.once('data', () => socket.destroy())
    else
      socket.on('data', (chunk) => {
        text += chunk
      })
  })
  let url: string
  beforeAll(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    url = `tls://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => server.close())
  const line = { id: 1, at: '2026-11-27T10:00:00.000Z', action: 'create', entity: 'client' } as AuditLine

  it('frames each event by its length', async () => {
    await writeSyslog(new URL(url), [line, { ...line, id: 2, action: 'änderte' }], { ca: tls('cert') })
    const [, first] =
      text.match(/^(\d+) (<110>1 2026-11-27T10:00:00.000Z \S+ casework \d+ audit - \{"id":1,)/) ?? []
    const second = Buffer.from(text)
      .subarray(first.length + 1 + Number(first))
      .toString()
    expect(second).toMatch(/^\d+ <110>1 .*"action":"änderte"/)
    expect(Buffer.byteLength(second)).toBe(Number(second.split(' ')[0]) + second.indexOf(' ') + 1)
  })

  it('takes a cut connection for nothing received', async () => {
    isCut = true
    const lines = Array.from({ length: 50_000 }, () => line)
    await expect(writeSyslog(new URL(url), lines, { ca: tls('cert') })).rejects.toThrow()
    isCut = false
  })

  it('keeps the events of a receiver that nobody vouches for', async () => {
    await sql`insert into audit (action, entity, record) values ('test', 'client', 1)`.execute(context.db)
    await send(url)
    expect(warnings.at(-1)).toEqual({ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' })
    expect(await queued()).toBe(1)
  })
})

it('queues nothing without AUDIT_URL', async () => {
  await sql`insert into audit (action, entity, record) values ('test', 'client', 1)`.execute(context.db)
  expect(await queued()).toBe(1)
  startAuditStream(context.app, readSettings({}))
  await expect.poll(queued).toBe(0)
  await sql`insert into audit (action, entity, record) values ('test', 'client', 1)`.execute(context.db)
  expect(await queued()).toBe(0)
})

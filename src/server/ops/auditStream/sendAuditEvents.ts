import { randomUUID } from 'node:crypto'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../core/db.ts'
import { type Lease, leaseNext, postpone, type Queue, releaseLease, renewLease } from '../../core/queue.ts'
import { type AuditLine, lineOf } from './auditLine.ts'
import { writeSyslog } from './writeSyslog.ts'

interface StreamContext {
  db: Db
  log: Pick<FastifyBaseLogger, 'warn'>
  ending: AbortSignal
  url: string
}

/** Longer than a batch may take, so that no other server sends it meanwhile. */
const STREAM: Queue = { table: 'audit_stream', leaseSeconds: 60 }
const BATCH = 500

/** Sends lines; resolves once the receiver has them all. */
const SENDERS: Record<string, (url: URL, lines: AuditLine[]) => Promise<void>> = {
  'tls:': writeSyslog,
  'http:': postLines,
  'https:': postLines,
}

/**
 * Sends the queued events until none is left, oldest first. A batch leaves the queue only once the receiver has it:
 * after a kill it is sent again, so a receiver may get an event twice, by the same `id`.
 */
export async function sendAuditEvents({ db, log, ending, url }: StreamContext): Promise<void> {
  const worker = randomUUID()
  const lease = await leaseNext<Lease>(db, STREAM, worker, { where: sql`true`, returning: sql`id, worker` })
  if (!lease) return
  const address = new URL(url)
  const send = SENDERS[address.protocol]
  try {
    while (!ending.aborted && (await renewLease(db, STREAM, lease))) {
      const { events, lines } = await nextBatch(db)
      if (events.length === 0) break
      if (lines.length > 0) await send(address, lines)
      await sql`with sent as (update audit_stream set sent_at = now())
        delete from audit_outbox where event = any(${events}::bigint[])`.execute(db)
    }
    await releaseLease(db, STREAM, lease)
  } catch (error) {
    const { code } = error as { code?: string }
    await postpone(db, STREAM, lease, { code })
    log.warn({ code }, 'the audit could not be sent')
  }
}

/** The oldest queued events, and the lines of those that no purge has deleted. */
async function nextBatch(db: Db): Promise<{ events: string[]; lines: AuditLine[] }> {
  const { rows } = await sql<{ event: string; row: Parameters<typeof lineOf>[0] | null }>`
    select o.event::text, case when a.id is not null then to_jsonb(a) - 'changes' - 'kind' ||
        jsonb_build_object('fields', (select jsonb_agg(k order by k) from jsonb_object_keys(a.changes) k)) end as row
    from (select event, at from audit_outbox order by event limit ${BATCH}) o
    left join audit a on a.id = o.event and a.at = o.at order by o.event`.execute(db)
  return {
    events: rows.map(({ event }) => event),
    lines: rows.flatMap(({ row }) => (row ? [lineOf(row)] : [])),
  }
}

const TIMEOUT_MS = 20_000

/** Posts lines of JSON (application/x-ndjson); a user and password in the address are sent as Basic authorization. */
async function postLines(url: URL, lines: AuditLine[]): Promise<void> {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = [username, password].map(decodeURIComponent).join(':')
  const reply = await fetch(address, {
    method: 'POST',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    headers: {
      'content-type': 'application/x-ndjson',
      ...(username && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error) => {
    throw Object.assign(new Error('No answer'), { code: error.cause?.code ?? error.name })
  })
  await reply.body?.cancel()
  if (!reply.ok) throw Object.assign(new Error('Refused'), { code: `HTTP ${reply.status}` })
}

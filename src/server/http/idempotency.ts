import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Call } from '../core/call.ts'
import { fieldProblem, problem } from '../core/problems.ts'
import { draftIdFromHeader } from '../records/verbs/draftOfCall.ts'

const HEADER = 'idempotency-key'
/** SQLSTATE lock_not_available. */
const LOCKED = '55P03'

/**
 * Makes a POST idempotent by its key and by the draft that it finishes: a repeat with the same body gets the stored
 * reply, another body a 409. Runs in the handler's transaction, so a concurrent repeat waits.
 */
export async function runOnce(call: Call, handler: () => Promise<unknown>): Promise<unknown> {
  const { headers, method } = call.request
  const key = headers[HEADER]
  if (method !== 'POST') return handler()
  if (key !== undefined && (typeof key !== 'string' || !/^[\w-]{8,100}$/.test(key)))
    throw fieldProblem({ 'Idempotency-Key': ['must be 8 to 100 letters, digits or -'] })
  const byKey = key === undefined ? handler : () => runOnceBy(key, call, handler)
  const draft = draftIdFromHeader(call.request)
  // No caller can send a key with a colon.
  return draft === undefined ? byKey() : runOnceBy(`draft:${draft}`, call, byKey)
}

async function runOnceBy(key: string, call: Call, handler: () => Promise<unknown>): Promise<unknown> {
  const { db, me, request } = call
  const sent = createHash('sha256').update(
    JSON.stringify([
      call.name,
      call.params,
      call.body,
      call.files?.map(({ name, content }) => [name, content.length]),
    ]),
  )
  for (const { content } of call.files ?? []) sent.update(content)
  const hash = sent.digest()
  const { rows } = await sql`insert into idempotency (staff, key, body_hash, request)
    values (${me.id}, ${key}, ${hash}, ${request.id})
    on conflict do nothing returning 1`
    .execute(db)
    .catch((error) => {
      throw error.code === LOCKED ? problem('inProgress') : error
    })
  if (rows.length === 0) return replay(call, key, hash)
  const reply = await handler()
  await sql`update idempotency set status = ${call.reply.statusCode}, reply = ${JSON.stringify(reply ?? null)}
    where staff = ${me.id} and key = ${key}`.execute(db)
  return reply
}

async function replay({ db, me, reply }: Call, key: string, hash: Buffer): Promise<unknown> {
  const { rows } = await sql<{ body_hash: Buffer; status: number; reply: unknown }>`
    select body_hash, status, reply from idempotency where staff = ${me.id} and key = ${key}`.execute(db)
  if (!rows[0]?.body_hash.equals(hash)) throw problem('usedKey')
  reply.code(rows[0].status)
  return rows[0].reply
}

import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import type { Call } from '../core/call.ts'
import type { Db } from '../core/db.ts'
import { problem } from '../core/problems.ts'
import { enforceDailyLimit } from './rateLimit.ts'

/** Maximum number of drafts of one person, and of bytes of all of them. */
export const MAX_DRAFTS = 200
export const MAX_DRAFT_BYTES = 20 * 1024 * 1024
/** Maximum number of files of one person that belong to no record yet. */
export const MAX_UNATTACHED_FILES = 200
/** Maximum size of the files that one person sends within a day, in megabytes. */
export const MAX_MEGABYTES_A_DAY = 500
/** Maximum number of event streams of one person on one server: each open page has one. */
export const MAX_STREAMS = 20

const QUOTAS: Record<string, (call: Call, values: Values, id?: unknown) => Promise<void>> = {
  draft: (call, { payload }, id) => enforceDraftQuota(call, payload, id),
}

/** Throws a 429 if a record, new or in place of `id`, would exceed what one person may keep of its entity. */
export async function enforceQuota(call: Call, { $id }: Entity, values: Values, id?: unknown): Promise<void> {
  await QUOTAS[$id]?.(call, values, id)
}

/** Throws a 429 if a draft with this content, new or in place of `id`, would exceed what one person may keep. */
async function enforceDraftQuota({ db, me }: Call, payload: unknown, id?: unknown): Promise<void> {
  // Parallel drafts of one person are counted one after the other.
  await sql`select from staff where id = ${me.id} for no key update`.execute(db)
  const { rows } = await sql<{ count: number; bytes: number }>`select count(*)::int as count,
    coalesce(sum(octet_length(payload::text)), 0)::float8 as bytes
    from drafts where staff = ${me.id} and id is distinct from ${id ?? null}::int`.execute(db)
  const [{ count, bytes }] = rows
  if (count >= MAX_DRAFTS)
    throw full(`You have ${MAX_DRAFTS} drafts, which is the maximum. Delete old ones in Draft Cases.`)
  if (bytes + Buffer.byteLength(JSON.stringify(payload ?? {})) > MAX_DRAFT_BYTES)
    throw full('Your drafts are larger than 20 MB together. Delete large ones in Draft Cases.')
}

/** Counts files of a call, and throws a 429 if the person sent too much within a day or left too many files unused. */
export async function enforceFileQuota(db: Db, staff: number, files: { content: Buffer }[]): Promise<void> {
  if (staff === 0 || files.length === 0) return
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from (
    select from files where created_by = ${staff} and record is null limit ${MAX_UNATTACHED_FILES}) f`.execute(
    db,
  )
  if (rows[0].count >= MAX_UNATTACHED_FILES)
    throw full(
      `You have sent ${MAX_UNATTACHED_FILES} files that belong to no record yet. Save the forms that they are in, or delete these in Draft Cases.`,
    )
  // In kilobytes: a day's bytes do not fit into the counter.
  const kilobytes = Math.ceil(files.reduce((sum, { content }) => sum + content.length, 0) / 1024)
  await enforceDailyLimit(db, `You have sent ${MAX_MEGABYTES_A_DAY} MB of files within a day.`, {
    name: 'file kilobytes',
    caller: String(staff),
    limit: MAX_MEGABYTES_A_DAY * 1024,
    by: kilobytes,
  })
}

const streams = new Map<number, number>()

/** Counts an event stream of a person until the returned function is called; throws a 429 beyond the limit. */
export function openStream(staff: number): () => void {
  const open = streams.get(staff) ?? 0
  if (open >= MAX_STREAMS) throw full(`You have ${MAX_STREAMS} pages open at once. Close some of them.`)
  streams.set(staff, open + 1)
  return () => {
    const left = (streams.get(staff) ?? 1) - 1
    if (left > 0) streams.set(staff, left)
    else streams.delete(staff)
  }
}

const full = (message: string) => problem('quota', { message })

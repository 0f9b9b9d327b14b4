import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'

const DRAFT_HEADER = 'x-draft'

/** Id of the draft that a POST names in its X-Draft header; its owner is not checked yet. */
export function draftIdFromHeader({ method, headers }: FastifyRequest): number | undefined {
  const id = headers[DRAFT_HEADER]
  return method === 'POST' && typeof id === 'string' && /^\d{1,9}$/.test(id) ? Number(id) : undefined
}

/** Deletes the draft that a POST was made from, in its transaction; other people's drafts are ignored. */
export async function deleteDraft({ db, me, request }: Call): Promise<void> {
  const id = draftIdFromHeader(request)
  if (id !== undefined) await sql`delete from drafts where id = ${id} and staff = ${me.id}`.execute(db)
}

import { sql } from 'kysely'
import type { Call } from './call.ts'

const HEADER = 'x-draft'

/** Removes the caller's draft that a POST names as what it came of, in the transaction of the POST; any other id is nothing. */
export async function dropDraft({ db, me, request }: Call): Promise<void> {
  const id = request.headers[HEADER]
  if (request.method !== 'POST' || typeof id !== 'string' || !/^\d{1,9}$/.test(id)) return
  await sql`delete from drafts where id = ${id} and staff = ${me.id}`.execute(db)
}

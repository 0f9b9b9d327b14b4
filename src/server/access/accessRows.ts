import { sql } from 'kysely'
import type { Db } from '../core/db.ts'

/** Number of clients that one statement verifies or refreshes. */
const BATCH = 500

/** Result of a verification: the clients that were verified, and the rows of theirs that differed. */
export interface Verified {
  clients: number
  differing: number
}

interface Options {
  /** True if rows that differ are brought up to date. */
  rebuild: boolean
  /** The slice of the clients to verify, as the remainder of their ids by `of`; omitted: all. */
  slice?: { remainder: number; of: number }
  /** Aborted to end after the current batch. */
  ending?: AbortSignal
}

/**
 * Compares the rows of client_access and case_access with what follows from issues, cases and clients. Each batch is
 * read in one snapshot, so that changes of people meanwhile are no differences.
 */
export async function verifyAccess(
  db: Db,
  { rebuild, slice = { remainder: 0, of: 1 }, ending }: Options,
): Promise<Verified> {
  const verified = { clients: 0, differing: 0 }
  for (let last = 0; !ending?.aborted; ) {
    const { rows } = await sql<{ ids: number[] }>`select array(select id from clients
      where id > ${last} and id % ${slice.of}::int = ${slice.remainder}::int order by id limit ${BATCH}) as ids`.execute(
      db,
    )
    const [{ ids }] = rows
    if (ids.length === 0) break
    const differing = await countDifferences(db, ids)
    if (rebuild && differing > 0) await refreshAccess(db, ids)
    verified.clients += ids.length
    verified.differing += differing
    last = ids.at(-1)!
  }
  return verified
}

async function countDifferences(db: Db, clients: number[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n
    from access_differences(${clients}::int[])`.execute(db)
  return rows[0].n
}

/** Brings the rows of some clients and of their cases up to date, as the triggers do after a change. */
export async function refreshAccess(db: Db, clients: number[]): Promise<void> {
  await sql`select refresh_access(${clients}::int[])`.execute(db)
}

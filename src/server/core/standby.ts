import { sql } from 'kysely'
import type { Call } from './call.ts'
import { type Database, openDatabase } from './db.ts'
import { loggedError } from './log.ts'
import { asProblem } from './problems.ts'
import type { Settings } from './settings.ts'

/** Connections to the standby, for reports and exports. */
const CONNECTIONS = 6

/** Opens the pools of the standby of DATABASE_READ_URL; undefined without that setting. */
export function openStandby({
  DATABASE_READ_URL,
  TIME_ZONE,
  PREPARED_STATEMENTS,
}: Settings): Database | undefined {
  if (!DATABASE_READ_URL) return undefined
  const prepared = PREPARED_STATEMENTS === 1
  return openDatabase(DATABASE_READ_URL, { size: CONNECTIONS, timeZone: TIME_ZONE, prepared })
}

/**
 * Returns the call with the standby as its database; its audit events still go to the primary. If the standby does not
 * answer, returns the call unchanged.
 */
export async function onStandby(call: Call, { db, slow }: Database): Promise<Call> {
  try {
    return { ...call, db: slow, standby: { asAt: await replayedUntil(db), primary: call.db } }
  } catch (error) {
    if (asProblem(error).statusCode !== 503) throw error
    call.request.log.warn({ call: call.name, ...loggedError(error) }, 'The standby does not answer')
    return call
  }
}

/** Seconds by which a standby is behind; 0 while it is connected and has replayed all WAL that it received. */
export async function replicaLag(standby: Database['db']): Promise<number> {
  return Math.max(0, (Date.now() - Date.parse(await replayedUntil(standby))) / 1000)
}

/**
 * The time that the rows of a database reflect (ISO). For a standby that is now only while it is connected and has
 * replayed all WAL that it received; otherwise it is the time of the last commit that it replayed.
 */
async function replayedUntil(db: Database['db']): Promise<string> {
  const { rows } = await sql<{ at: Date }>`select case
      when not pg_is_in_recovery() then now()
      when pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() and exists (select from pg_stat_wal_receiver) then now()
      else coalesce(pg_last_xact_replay_timestamp(), now()) end as at`.execute(db)
  return rows[0].at.toISOString()
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'

export interface MigrationLock {
  /** Throws if the connection that holds the lock was lost, and another server may be migrating. */
  check(): void
  /** What a session waits for, in words; undefined if it does not wait. */
  waitOf(session: Client): Promise<string | undefined>
  /** How far PostgreSQL is with the index that a session builds, in words; undefined if it builds none. */
  indexProgress(session: Client): Promise<string | undefined>
}

/** Key of the advisory lock that lets only one server migrate at a time. */
const KEY = 1835625330
const POLL_MS = 500

/**
 * Runs work while no other server migrates the database. The lock belongs to an idle transaction of a connection of its
 * own: through a pooler a session's lock could pass to others. It is asked for again and again, because no index is
 * built while a session waits in a query.
 */
export function withMigrationLock<T>(
  url: string,
  report: (words: string) => void,
  work: (lock: MigrationLock) => Promise<T>,
): Promise<T> {
  return withClient(url, 'migrate lock', async (client) => {
    await acquire(client, report)
    let isLost = false
    client.on('end', () => {
      isLost = true
    })
    const wordsOn = async (sql: (pid: number) => string, session: Client): Promise<string | undefined> => {
      const { processID: pid } = session as unknown as { processID: number } // pg's types leave it out
      const { rows } = await client.query<{ words: string | null }>(sql(pid))
      return rows[0]?.words ?? undefined
    }
    const result = await work({
      check: () => {
        if (isLost)
          throw new StartProblem('The connection to the database was lost during a migration. Start again.')
      },
      waitOf: (session) => wordsOn(WAIT, session),
      indexProgress: (session) => wordsOn(INDEX, session),
    })
    await client.query('commit')
    return result
  })
}

async function acquire(client: Client, report: (words: string) => void): Promise<void> {
  await client.query('begin')
  await client.query('set local idle_in_transaction_session_timeout = 0')
  for (let attempts = 0; ; attempts++) {
    const { rows } = await client.query(`select pg_try_advisory_xact_lock(${KEY}) as ours`)
    if (rows[0].ours) return
    if (attempts % 60 === 1) report('Waiting: another server is migrating the database.')
    await sleep(POLL_MS)
  }
}

// Numbers are part of the text: a statement with parameters would keep its snapshot in this transaction, and the
// building of an index waits for all snapshots.
const WAIT = (
  pid: number,
) => `select coalesce('the table ' || l.relation::regclass::text, 'a lock (' || l.locktype || ')') || ', which '
    || coalesce((select string_agg(format('"%s" (process %s)', a.application_name, a.pid), ', ')
      from (select * from unnest(pg_blocking_pids(${pid})) pid limit 3) b join pg_stat_activity a using (pid)), 'another session')
    || ' uses' as words
  from pg_locks l where l.pid = ${pid} and not l.granted limit 1`

const INDEX = (
  pid: number,
) => `select phase || case when blocks_total > 0 then format(', %s%%', 100 * blocks_done / blocks_total) else '' end as words
  from pg_stat_progress_create_index where pid = ${pid}`

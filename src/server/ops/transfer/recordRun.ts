import type { Client } from 'pg'
import { StartProblem } from '../../core/startProblem.ts'
import { withClient } from '../command/withClient.ts'
import type { Progress } from './progress.ts'

type RunName = 'backup' | 'verify backup'

/** Milliseconds between two reports of progress. */
const PROGRESS_INTERVAL_MS = 1000
/** SQLSTATE: insufficient_privilege, read_only_sql_transaction. */
const CANNOT_WRITE = ['42501', '25006']

/**
 * True of a run of job_runs whose work may be begun again: its process was killed, which its connection shows, or
 * stopped, or it failed an hour ago.
 */
export const MAY_REPEAT = `(ok is not true and (error_code = 'stopped' or ended_at < now() - interval '1 hour'
  or ended_at is null and started_at < now() - interval '1 minute' and not exists (
    select from pg_stat_activity where datname = current_database() and application_name like name || ' run%')))`

/**
 * Does work as a run of job_runs, unless the role or the database is read-only. During the run one connection is open,
 * whose name ends with its progress. With a slot only one run of all servers is begun; the others get undefined.
 */
export async function recordRun<T>(
  url: string,
  { name, slot }: { name: RunName; slot?: Date },
  work: (report: (progress: Progress) => void) => Promise<T>,
): Promise<T | undefined> {
  return await withClient(url, `claim ${name}`, async (client) => {
    const id = await begin(client, name, slot)
    if (id === undefined && slot) return undefined
    // Only now: servers that claim at the same time must not take each other for the run.
    await nameConnection(client, `${name} run`)
    const end = async (ok: boolean, error?: { name?: string; code?: unknown }) => {
      if (id === undefined) return
      const code = error && codeOf(error)
      const update = 'update job_runs set ended_at = now(), ok = $2, error_code = $3 where id = $1'
      const write = (on: Client) => on.query(update, [id, ok, code])
      // The connection of a run of hours may have been lost.
      await write(client).catch(() => withClient(url, `end ${name}`, write))
    }
    try {
      const result = await work(reportOn(client, name))
      await end(true)
      return result
    } catch (error) {
      await end(false, error as Error).catch(() => undefined)
      throw error
    }
  })
}

function codeOf(error: { name?: string; code?: unknown }): string {
  if (error.name === 'AbortError') return 'stopped'
  return String(error.code ?? (error instanceof StartProblem ? 'refused' : 'unknown'))
}

async function begin(client: Client, name: RunName, slot?: Date): Promise<number | undefined> {
  try {
    await client.query('set idle_session_timeout = 0')
    if (slot)
      await client.query(`update job_runs set hour = null where name = $1 and hour = $2 and ${MAY_REPEAT}`, [
        name,
        slot,
      ])
    const insert =
      'insert into job_runs (name, hour) values ($1, $2) on conflict (name, hour) do nothing returning id'
    const { rows } = await client.query<{ id: number }>(insert, [name, slot ?? null])
    return rows[0]?.id
  } catch (error) {
    if (!slot && CANNOT_WRITE.includes((error as { code: string }).code)) return undefined
    throw error
  }
}

/** Shows progress as the name of the connection, which ends with it. */
function reportOn(client: Client, name: RunName): (progress: Progress) => void {
  let reportedAt = 0
  return ({ percent, table }) => {
    if (Date.now() - reportedAt < PROGRESS_INTERVAL_MS) return
    reportedAt = Date.now()
    const words = `${name} run ${percent} %${table ? `, ${table}` : ''}`
    nameConnection(client, words).catch(() => undefined)
  }
}

async function nameConnection(client: Client, words: string): Promise<void> {
  await client.query(`select set_config('application_name', $1, false)`, [words])
}

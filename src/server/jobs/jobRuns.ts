import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A run that this server has, to be ended. */
interface JobRun {
  id: number
  /** When the last run began that went well, of any server. */
  lastOk: Date | null
}

/** Days that runs are listed for. */
export const RUN_DAYS = 30

/**
 * Notes that a job begins. By the clock one server has it each hour: the others get undefined. At the start of a server
 * every job is run whatever others do, for a migration or a killed server may have left it work.
 */
export async function beginRun(db: Db, name: string, isHourly: boolean): Promise<JobRun | undefined> {
  const hour = isHourly ? sql`date_trunc('hour', now())` : sql`null`
  const { rows } = await sql<JobRun>`insert into job_runs (name, hour) values (${name}, ${hour})
    on conflict (name, hour) do nothing
    returning id, (select max(started_at) from job_runs where name = ${name} and ok) as "lastOk"`.execute(db)
  return rows[0]
}

/** Notes how a run went: with the code of its error, where it had one. */
export async function endRun(db: Db, { id }: JobRun, error?: { code?: string }): Promise<void> {
  await sql`update job_runs set ended_at = now(), ok = ${error === undefined}, error_code = ${error?.code ?? null}
    where id = ${id}`.execute(db)
}

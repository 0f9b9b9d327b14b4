import { sql } from 'kysely'
import type { Db } from '../db.ts'

/** A run that this server has started. */
interface JobRun {
  id: number
  /** Start of the last successful run of any server. */
  lastOk: Date | null
}

/** Days after which runs are deleted. */
export const RUN_DAYS = 30

/**
 * Inserts the run of a job. An hourly run is claimed by one server; the others get undefined. At its start every server
 * runs all jobs, because a migration or a killed server may have left work.
 */
export async function beginRun(db: Db, name: string, isHourly: boolean): Promise<JobRun | undefined> {
  const hour = isHourly ? sql`date_trunc('hour', now())` : sql`null`
  const { rows } = await sql<JobRun>`insert into job_runs (name, hour) values (${name}, ${hour})
    on conflict (name, hour) do nothing
    returning id, (select max(started_at) from job_runs where name = ${name} and ok) as "lastOk"`.execute(db)
  return rows[0]
}

/** Saves the outcome of a run, with the code of its error if there was one. */
export async function endRun(db: Db, { id }: JobRun, error?: { code?: string }): Promise<void> {
  await sql`update job_runs set ended_at = now(), ok = ${error === undefined}, error_code = ${error?.code ?? null}
    where id = ${id}`.execute(db)
}

import { sql } from 'kysely'
import type { Db, Sql } from '../../core/db.ts'
import { productVersion } from '../../core/productVersion.ts'

/** A run that this server has started. */
interface JobRun {
  id: number
  /** Start of the last successful run of any server, undefined if it was before the last upgrade. */
  lastOk: Date | undefined
}
interface Beginning {
  name: string
  /** True at the start of a server, which repeats what has failed or was cut off, or not been run since the upgrade. */
  isStart: boolean
  /** True for a job that a start of a server always runs. */
  isHealing: boolean
}

/** Days after which runs are deleted. */
export const RUN_DAYS = 30
/** Interval at which a server notes that it is still running a job, in milliseconds. */
export const SEEN_INTERVAL_MS = 5000
/** Seconds without such a note after which a run is regarded as cut off. */
const CUT_OFF_SECONDS = 30

const isUnderWay = sql`ended_at is null and coalesce(seen_at, started_at) > now() - make_interval(secs => ${CUT_OFF_SECONDS})`
/** True for runs of this release on the tables as they are now. */
const isCurrent = (): Sql =>
  sql`release = ${productVersion()} and started_at > (select max(applied_at) from migration)`

/**
 * Inserts the run of a job, in a row that only one server can have for the current hour. Returns 'busy' if another
 * server is running it, and undefined if it need not run: another one has.
 */
export function beginRun(
  db: Db,
  { name, isStart, isHealing }: Beginning,
): Promise<JobRun | 'busy' | undefined> {
  return db.transaction().execute(async (tx) => {
    const isDone = isHealing ? sql`false` : sql`coalesce(ok and ${isCurrent()}, false)`
    // Gives the hour up, so that the insert below can claim it. Of several servers one finds it given up.
    if (isStart)
      await sql`update job_runs set hour = null
        where name = ${name} and hour = date_trunc('hour', now()) and not (${isUnderWay}) and not (${isDone})`.execute(
        tx,
      )
    const isRecent = isStart
      ? sql`exists (select from job_runs where name = ${name} and started_at > now() - interval '1 hour' and ${isDone})`
      : sql`false`
    const { rows } = await sql<{ isBusy: boolean; id: number | null; lastOk: Date | null }>`
      with busy as (select from job_runs where name = ${name} and ${isUnderWay}),
      begun as (
        insert into job_runs (name, hour, seen_at, release)
        select ${name}, date_trunc('hour', now()), now(), ${productVersion()}
        where not exists (select from busy) and not ${isRecent}
        on conflict (name, hour) do nothing returning id)
      select exists (select from busy) as "isBusy", (select id from begun) as id,
        (select max(started_at) from job_runs where name = ${name} and ok and ${isCurrent()}) as "lastOk"`.execute(
      tx,
    )
    const [{ isBusy, id, lastOk }] = rows
    if (id !== null) return { id, lastOk: lastOk ?? undefined }
    return isBusy ? 'busy' : undefined
  })
}

/** Notes that a run is still under way; without it another server takes it over. */
export async function noteRun(db: Db, { id }: JobRun): Promise<void> {
  await sql`update job_runs set seen_at = now() where id = ${id}`.execute(db)
}

/** Saves the outcome of a run, with the code of its error if there was one. */
export async function endRun(db: Db, { id }: JobRun, error?: { code?: string }): Promise<void> {
  await sql`update job_runs set ended_at = now(), ok = ${error === undefined}, error_code = ${error?.code ?? null}
    where id = ${id}`.execute(db)
}

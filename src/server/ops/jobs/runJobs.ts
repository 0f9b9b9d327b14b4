import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Contract } from '../../../contract/contract.ts'
import type { Db, Sql } from '../../core/db.ts'
import { poll } from '../../core/poll.ts'
import { productVersion } from '../../core/productVersion.ts'
import {
  isDue,
  type Lease,
  leaseNext,
  postpone,
  type Queue,
  releaseLease,
  renewLease,
} from '../../core/queue.ts'
import type { Settings } from '../../core/settings.ts'
import { tallySlowQueries } from '../../core/slowQueries.ts'
import type { Tracing } from '../../core/tracing.ts'
import { runSpan } from '../../core/withSpan.ts'

export interface JobContext {
  contract: Contract
  db: Db
  settings: Settings
  log: FastifyBaseLogger
  /** Aborted when the server closes: no further job starts, and a long one ends. */
  ending: AbortSignal
  tracing?: Tracing
  /** Start of the last successful run, unset after an upgrade: then all work is checked again. */
  lastOk?: Date
}
/** Jobs by name; each is due again an hour after its start. */
export type Jobs = Record<string, (context: JobContext) => Promise<unknown>>

const QUEUE: Queue = { table: 'jobs', leaseSeconds: 30 }
/** Interval at which a server renews the lease of a job that it runs, in milliseconds. */
const RENEW_INTERVAL_MS = 5000
/** Interval at which a server looks for jobs that are due, in milliseconds. */
const POLL_INTERVAL_MS = 5000
/**
 * Before the first job, so that the first minute of a server is its people's; at random, so that servers take turns.
 */
const startDelay = () => 10_000 + Math.random() * 10_000
/** Pause after a job, as a multiple of its duration. */
const PAUSE = 1

/** Jobs that continue what a killed server left. A start always runs them: the last run may have been before it. */
const HEALING = ['revalidate records', 'evaluate automations', 'index answers']

/** True for jobs of which the last success was by this release on the tables as they are now. */
const isCurrent = (): Sql =>
  sql`coalesce(release = ${productVersion()} and last_ok > (select max(applied_at) from migration), false)`

/** Looks for jobs that are due, soon and every few seconds until the server closes, which waits for a running job. */
export function startJobs(
  app: FastifyInstance,
  {
    contract,
    settings,
    jobs,
    delayMs = startDelay(),
  }: Pick<JobContext, 'contract' | 'settings'> & {
    jobs: Jobs
    delayMs?: number
  },
): void {
  const { db, log, ending, tracing } = app
  const context = { contract, db, settings, log, ending, tracing }
  let isStarted = false
  poll(app, { intervalMs: POLL_INTERVAL_MS, delayMs, what: 'looking for jobs' }, async () => {
    if (!isStarted) await requestJobs(db, Object.keys(jobs))
    isStarted = true
    await runDueJobs(context, jobs)
  })
}

/** Runs jobs as the start of a server does. */
export async function runJobs(context: JobContext, jobs: Jobs): Promise<void> {
  await requestJobs(context.db, Object.keys(jobs))
  await runDueJobs(context, jobs)
}

/**
 * Adds jobs that are new. Makes those due that have failed, were not run since the upgrade and are not being run, or
 * continue what a killed server left.
 */
async function requestJobs(db: Db, names: string[]): Promise<void> {
  await sql`insert into jobs (name) select unnest(${names}::text[]) on conflict do nothing`.execute(db)
  await sql`update jobs set run_at = now() where name = any(${names}) and (name = any(${HEALING})
    or (attempts > 0 or not ${isCurrent()}) and (leased_until is null or leased_until < now()))`.execute(db)
}

/**
 * Runs the jobs that are due and that no other server has leased, in their order; a failure is logged with the name of
 * the job and the code, and the other jobs still run.
 */
export async function runDueJobs(context: JobContext, jobs: Jobs): Promise<void> {
  const { db, ending } = context
  const { rows } = await sql<{ name: string }>`select name from jobs
    where name = any(${Object.keys(jobs)}) and ${isDue}`.execute(db)
  const due = new Set(rows.map(({ name }) => name))
  for (const name of Object.keys(jobs).filter((name) => due.has(name))) {
    if (ending.aborted) return
    const startedAt = performance.now()
    if (await tryJob(context, name, jobs[name])) await pause(ending, (performance.now() - startedAt) * PAUSE)
  }
}

/** Runs a job if this server gets its lease; false if not. */
async function tryJob(context: JobContext, name: string, job: Jobs[string]): Promise<boolean> {
  const { db, log, settings, tracing } = context
  const leased = await lease(db, name)
  if (!leased) return false
  const span = tracing?.begin(`job ${name}`, { attributes: { 'casework.job': name } })
  const run = () => runLeased({ ...context, lastOk: leased.lastOk ?? undefined }, name, leased, job)
  await tallySlowQueries({ for: { job: name }, log, slow: settings.SLOW_QUERY_MS, span }, (tallied) =>
    runSpan(tallied, run),
  ).catch(({ code }: { code?: string }) => log.warn({ job: name, code }, 'a job failed'))
  return true
}

type LeasedJob = Lease & { lastOk: Date | null }

function lease(db: Db, name: string): Promise<LeasedJob | undefined> {
  return leaseNext<LeasedJob>(db, QUEUE, randomUUID(), {
    where: sql`name = ${name}`,
    set: sql`started_at = now()`,
    returning: sql`id, worker, case when ${isCurrent()} then last_ok end as "lastOk"`,
  })
}

/** Runs a leased job, as a row of job_runs with its outcome. */
async function runLeased(context: JobContext, name: string, leased: Lease, job: Jobs[string]): Promise<void> {
  const { db } = context
  const renewing = setInterval(
    () => void renewLease(db, QUEUE, leased).catch(() => undefined),
    RENEW_INTERVAL_MS,
  )
  let run: number | undefined
  try {
    run = await beginRun(db, name)
    await job(context)
    await endRun(db, run)
    await releaseLease(db, QUEUE, leased, {
      // A server that started meanwhile may have made it due again.
      set: sql`run_at = case when run_at > started_at then run_at else started_at + interval '1 hour' end,
        last_ok = started_at, release = ${productVersion()}`,
    })
  } catch (error) {
    await postpone(db, QUEUE, leased, error as { code?: string }).catch(() => undefined)
    if (run !== undefined) await endRun(db, run, error as { code?: string }).catch(() => undefined)
    throw error
  } finally {
    clearInterval(renewing)
  }
}

async function beginRun(db: Db, name: string): Promise<number> {
  const { rows } = await sql<{ id: number }>`insert into job_runs (name, release)
    values (${name}, ${productVersion()}) returning id`.execute(db)
  return rows[0].id
}

/** Saves the outcome of a run, with the code of its error if there was one. */
async function endRun(db: Db, id: number, error?: { code?: string }): Promise<void> {
  await sql`update job_runs set ended_at = now(), ok = ${error === undefined}, error_code = ${error?.code ?? null}
    where id = ${id}`.execute(db)
}

/** Waits so many milliseconds, or until the server closes. */
async function pause(ending: AbortSignal, ms: number): Promise<void> {
  await sleep(ms, undefined, { signal: ending }).catch(() => undefined)
}

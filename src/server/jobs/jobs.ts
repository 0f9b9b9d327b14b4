import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Contract } from '../../contract/contract.ts'
import { DRAFT_DAYS } from '../../contract/limits.ts'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import type { Db } from '../db.ts'
import type { Settings } from '../settings.ts'
import { KNOWN_DEVICE_DAYS } from '../signIn/knownDevice.ts'
import { switchLeave } from '../staff/switchLeave.ts'
import type { Tracing } from '../tracing/tracing.ts'
import { runSpan } from '../tracing/withSpan.ts'
import { revalidateRecords } from '../validate/revalidateRecords.ts'
import { dropAuditYears } from './dropAuditYears.ts'
import { forgetFiles } from './forgetFiles.ts'
import { forgetUploads } from './forgetUploads.ts'
import { indexAnswers } from './indexAnswers.ts'
import { beginRun, endRun, RUN_DAYS } from './jobRuns.ts'
import { removeContents } from './removeContents.ts'
import { sendDigests } from './sendDigests.ts'

export interface JobContext {
  contract: Contract
  db: Db
  settings: Settings
  log: FastifyBaseLogger
  /** Aborted when the server closes: no further job starts, and a long one ends. */
  ending: AbortSignal
  tracing?: Tracing
  /** Start of the last successful run, only set for hourly runs: at the start of a server all work is checked again. */
  lastOk?: Date
}
type Jobs = Record<string, (context: JobContext) => Promise<unknown>>

const HOUR_MS = 3_600_000
/** Days after which notices of work are deleted. */
const NOTICE_DAYS = 90

/**
 * The hourly jobs by name, in this order. Each hour one server runs them, and each server at its start. Two that run
 * the same job at once do not repeat each other's work.
 */
export const JOBS: Jobs = {
  'partition the audit': ({ db }) => sql`select add_audit_years()`.execute(db),
  'drop audit years': dropAuditYears,
  'forget sessions': ({ db }) => sql`delete from session where expires_at < now()`.execute(db),
  'forget password links': ({ db }) => sql`delete from password_reset where expires_at < now()`.execute(db),
  'forget devices': ({ db }) =>
    sql`delete from known_device where used_at < now() - make_interval(days => ${KNOWN_DEVICE_DAYS})`.execute(
      db,
    ),
  'forget repeated requests': ({ db }) =>
    sql`delete from idempotency where at < now() - interval '24 hours'`.execute(db),
  'forget drafts': ({ db }) =>
    sql`delete from drafts where updated_at < now() - make_interval(days => ${DRAFT_DAYS})`.execute(db),
  // After the drafts, because the remaining drafts may still attach their files.
  'forget files': forgetFiles,
  'forget uploads': forgetUploads,
  'remove contents of files': removeContents,
  'forget sign-ins': ({ db, settings }) =>
    sql`delete from access_log where attempt_time < now() - make_interval(days => ${settings.ACCESS_LOG_DAYS})`.execute(
      db,
    ),
  // The person of a rejected referral may be nobody's client: the audit has the decision, but not the person. Public
  // referrals include some that are never decided, because the referrer did not answer a question, and spam.
  'forget referrals': ({ db, settings }) =>
    sql`delete from referral_requests where case
        when status = ${sql.lit(REFERRAL_STATUS.rejected)} then decided_at
        when channel = 'public' and status <> ${sql.lit(REFERRAL_STATUS.accepted)} then updated_at
      end < now() - make_interval(days => ${settings.REFERRAL_DAYS})`.execute(db),
  'forget strangers': ({ db }) =>
    sql`delete from caller_count where since < now() - interval '1 day'`.execute(db),
  'forget notices of work': ({ db }) =>
    sql`delete from work_notices where created_at < now() - make_interval(days => ${NOTICE_DAYS})`.execute(
      db,
    ),
  // The term of a search is personal data that a purge does not find: delete the term, but not the event.
  'forget searches': ({ db, settings }) =>
    sql`update audit set changes = null where action = 'search' and changes is not null
      and at < now() - make_interval(days => ${settings.ACCESS_LOG_DAYS})`.execute(db),
  // A locked row is in use and so not old; waiting for one with other rows locked could be a deadlock.
  'forget guesses': ({ db, settings }) =>
    sql`delete from access_attempt where key in (
      select key from access_attempt where (locked_until is null or locked_until < now())
        and attempt_time < now() - make_interval(days => 1, mins => ${settings.LOCK_MINUTES})
      for update skip locked)`.execute(db),
  'switch leave': switchLeave,
  'send digests': sendDigests,
  // Continues the revalidation after a publication that no server finished, and of records saved by an older version.
  'revalidate records': revalidateIfPublished,
  // After an upgrade, and to continue the indexing after a publication that no server finished.
  'index answers': indexAnswers,
  'forget job runs': ({ db }) =>
    // The last success stays, so that the age of a backup is known however old it is.
    sql`delete from job_runs where started_at < now() - make_interval(days => ${RUN_DAYS}) and id not in (
      select max(id) from job_runs where ok and name in ('backup', 'verify backup') group by name)`.execute(
      db,
    ),
}

/**
 * Revalidates records only if something was published since the last run, or within an hour before it: a call that was
 * running then may have saved a record by the older version.
 */
async function revalidateIfPublished({ db, settings, ending, lastOk }: JobContext): Promise<void> {
  if (lastOk) {
    const { rows } = await sql`select 1 from case_types t join case_type_versions v on v.case_type = t.id
      where v.version = t.version and v.at > ${lastOk}::timestamptz - interval '1 hour' limit 1`.execute(db)
    if (rows.length === 0) return
  }
  await revalidateRecords({ db, timeZone: settings.TIME_ZONE, ending })
}

/** Runs all jobs; a failure is logged with the name of the job and the code, and the other jobs still run. */
export async function runJobs(context: JobContext, jobs = JOBS, isHourly = false): Promise<void> {
  for (const name of Object.keys(jobs)) {
    if (context.ending.aborted) return
    const { log, settings, tracing } = context
    const span = tracing?.begin(`job ${name}`, { attributes: { 'casework.job': name } })
    const runOne = () => runJob(context, name, jobs[name], isHourly)
    await runSpan({ for: { job: name }, log, slow: settings.SLOW_QUERY_MS, span }, runOne).catch(
      ({ code }: { code?: string }) => log.warn({ job: name, code }, 'a job failed'),
    )
  }
}

async function runJob(
  context: JobContext,
  name: string,
  job: Jobs[string],
  isHourly: boolean,
): Promise<void> {
  const { db } = context
  const run = await beginRun(db, name, isHourly)
  if (!run) return
  try {
    await job({ ...context, lastOk: (isHourly && run.lastOk) || undefined })
    await endRun(db, run)
  } catch (error) {
    await endRun(db, run, error as { code?: string }).catch(() => undefined)
    throw error
  }
}

/** Runs all jobs now and every hour until the server closes, which waits for a running job. */
export function startJobs(
  { db, log, ending, pendingWork, tracing }: FastifyInstance,
  contract: Contract,
  settings: Settings,
): void {
  const run = (isHourly: boolean) => {
    const done = runJobs({ contract, db, settings, log, ending, tracing }, JOBS, isHourly)
    pendingWork.add(done)
    done.finally(() => pendingWork.delete(done))
  }
  const timer = setInterval(run, HOUR_MS, true)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  run(false)
}

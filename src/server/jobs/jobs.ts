import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Contract } from '../../contract/contract.ts'
import { DRAFT_DAYS } from '../../contract/limits.ts'
import { REFERRAL_STATUS } from '../../contract/status.ts'
import type { Db } from '../db.ts'
import type { Settings } from '../settings.ts'
import { withQueryContext } from '../slowQueries.ts'
import { switchLeave } from '../staff/switchLeave.ts'
import { revalidateRecords } from '../validate/revalidateRecords.ts'
import { forgetFiles } from './forgetFiles.ts'
import { forgetUploads } from './forgetUploads.ts'
import { indexAnswers } from './indexAnswers.ts'
import { sendDigests } from './sendDigests.ts'

export interface JobContext {
  contract: Contract
  db: Db
  settings: Settings
  log: FastifyBaseLogger
  /** Aborted when the server closes: no further job begins, and a long one ends. */
  ending: AbortSignal
}
type Jobs = Record<string, (context: JobContext) => Promise<unknown>>

const HOUR = 3_600_000
/** Days after which nobody looks for what was new to them. */
const NOTICE_DAYS = 90

/** What is done every hour, by name and in this order. Several servers may do the same at once: none does it twice. */
export const JOBS: Jobs = {
  'partition the audit': ({ db }) => sql`select add_audit_years()`.execute(db),
  'forget sessions': ({ db }) => sql`delete from session where expires_at < now()`.execute(db),
  'forget password links': ({ db }) => sql`delete from password_reset where expires_at < now()`.execute(db),
  'forget repeated requests': ({ db }) =>
    sql`delete from idempotency where at < now() - interval '24 hours'`.execute(db),
  'forget drafts': ({ db }) =>
    sql`delete from drafts where updated_at < now() - make_interval(days => ${DRAFT_DAYS})`.execute(db),
  // Which drafts are left says which files may still be attached.
  'forget files': forgetFiles,
  'forget uploads': forgetUploads,
  'forget sign-ins': ({ db, settings }) =>
    sql`delete from access_log where attempt_time < now() - make_interval(days => ${settings.ACCESS_LOG_DAYS})`.execute(
      db,
    ),
  // Whom it was about may be nobody's client: that it was decided is kept in the audit, whom it was about is not. From
  // outside comes also what nobody decides, because the sender was asked and never answered, and spam.
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
  // Whom somebody looked for is personal data, which a purge does not find: that they looked is kept, whom is not.
  'forget searches': ({ db, settings }) =>
    sql`update audit set changes = null where action = 'search' and changes is not null
      and at < now() - make_interval(days => ${settings.ACCESS_LOG_DAYS})`.execute(db),
  // A count that somebody holds is not old any more, and waiting for one while holding another could be a deadlock.
  'forget guesses': ({ db, settings }) =>
    sql`delete from access_attempt where key in (
      select key from access_attempt where (locked_until is null or locked_until < now())
        and attempt_time < now() - make_interval(days => 1, mins => ${settings.LOCK_MINUTES})
      for update skip locked)`.execute(db),
  'switch leave': switchLeave,
  'send digests': sendDigests,
  // What a publication began and no server finished, and what was saved by an older version while it went on.
  'revalidate records': ({ db, settings, ending }) =>
    revalidateRecords({ db, timeZone: settings.TIME_ZONE, ending }),
  // The first time after an upgrade, and what a publication began and no server finished.
  'index answers': indexAnswers,
}

/** Does every job; one that fails is logged by its name and code, and the others are done all the same. */
export async function runJobs(context: JobContext, jobs = JOBS): Promise<void> {
  for (const [job, runJob] of Object.entries(jobs)) {
    if (context.ending.aborted) return
    try {
      const slow = context.settings.SLOW_QUERY_MS
      await withQueryContext({ for: { job }, log: context.log, slow }, () => runJob(context))
    } catch (error) {
      context.log.warn({ job, code: (error as { code?: string }).code }, 'a job failed')
    }
  }
}

/** Does every job now and every hour until the server closes, which waits for one that is under way. */
export function startJobs(
  { db, log, ending, working }: FastifyInstance,
  contract: Contract,
  settings: Settings,
): void {
  const run = () => {
    const done = runJobs({ contract, db, settings, log, ending })
    working.add(done)
    done.finally(() => working.delete(done))
  }
  const timer = setInterval(run, HOUR)
  timer.unref()
  ending.addEventListener('abort', () => clearInterval(timer))
  run()
}

import { sql } from 'kysely'
import { DRAFT_DAYS } from '../../../contract/limits.ts'
import { REFERRAL_STATUS } from '../../../contract/status.ts'
import { verifyAccess } from '../../access/accessRows.ts'
import { KNOWN_DEVICE_DAYS } from '../../access/knownDevice.ts'
import { UNKNOWN_DAYS } from '../../access/openid/links.ts'
import { LOGOUT_TOKEN_MINUTES } from '../../access/openid/logoutToken.ts'
import { REQUEST_MINUTES } from '../../access/openid/signOnRequest.ts'
import { CHALLENGE_MINUTES } from '../../access/secondFactor/passkeyChallenge.ts'
import { STEP_MINUTES } from '../../access/secondFactor/signInStep.ts'
import { renewSignOns } from '../../features/account/renewSignOns.ts'
import { evaluateLeft } from '../../features/automations/evaluateLeft.ts'
import { countAnswers } from '../../features/caseTypes/countAnswers.ts'
import { forgetReplaced } from '../../features/caseTypes/forgetReplaced.ts'
import { indexAnswers } from '../../features/caseTypes/indexAnswers.ts'
import { reopenMigrations, workOnMigrations } from '../../features/caseTypes/workOnMigrations.ts'
import { storePairs } from '../../features/likeness/storePairs.ts'
import { forgetMerges } from '../../features/merges/forgetMerges.ts'
import { switchLeave } from '../../features/staff/switchLeave.ts'
import { revalidateRecords } from '../../records/validate/revalidateRecords.ts'
import { notifyOfWaiting } from '../../records/workNotices/notifyOfWaiting.ts'
import { dropAuditYears } from './dropAuditYears.ts'
import { forgetFiles } from './forgetFiles.ts'
import { forgetUploads } from './forgetUploads.ts'
import { partitionAudit } from './partitionAudit.ts'
import { removeContents } from './removeContents.ts'
import type { JobContext, Jobs } from './runJobs.ts'
import { sendDigests } from './sendDigests.ts'

/** Parts of the clients, one of which is verified each hour, so all within a day. */
const ACCESS_SLICES = 24
/** Days after which notices of work are deleted. */
const NOTICE_DAYS = 30
/** Days after which runs of jobs are deleted. */
const RUN_DAYS = 30

/**
 * The hourly jobs by name, in this order. One of the servers runs each, and again after an upgrade. One server at a
 * time runs a job; should two, they do not repeat each other's work.
 */
export const JOBS: Jobs = {
  'partition the audit': partitionAudit,
  'drop audit years': dropAuditYears,
  'forget sessions': ({ db }) => sql`delete from session where expires_at < now()`.execute(db),
  'forget password links': ({ db }) => sql`delete from password_reset where expires_at < now()`.execute(db),
  'forget devices': ({ db }) =>
    sql`delete from known_device where used_at < now() - make_interval(days => ${KNOWN_DEVICE_DAYS})`.execute(
      db,
    ),
  'renew sign-ons': renewSignOns,
  'forget sign-on requests': ({ db }) =>
    sql`delete from openid_request where created_at < now() - make_interval(mins => ${REQUEST_MINUTES})`.execute(
      db,
    ),
  'forget sign-in steps': ({ db }) =>
    sql`delete from sign_in_step where created_at < now() - make_interval(mins => ${STEP_MINUTES})`.execute(
      db,
    ),
  'forget passkey challenges': ({ db }) =>
    sql`delete from passkey_challenge where created_at < now() - make_interval(mins => ${CHALLENGE_MINUTES})`.execute(
      db,
    ),
  'forget logout tokens': ({ db }) =>
    sql`delete from openid_logout_token where used_at < now() - make_interval(mins => ${LOGOUT_TOKEN_MINUTES})`.execute(
      db,
    ),
  'forget unknown sign-ons': ({ db }) =>
    sql`delete from openid_unknown where seen_at < now() - make_interval(days => ${UNKNOWN_DAYS})`.execute(
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
    sql`select clear_searches(${settings.ACCESS_LOG_DAYS})`.execute(db),
  // A locked row is in use and so not old; waiting for one with other rows locked could be a deadlock.
  'forget guesses': ({ db, settings }) =>
    sql`delete from access_attempt where key in (
      select key from access_attempt where (locked_until is null or locked_until < now())
        and attempt_time < now() - make_interval(days => 1, mins => ${settings.LOCK_MINUTES})
      for update skip locked)`.execute(db),
  'forget merges': ({ db }) => forgetMerges(db),
  'forget replaced answers': ({ db }) => forgetReplaced(db),
  'switch leave': switchLeave,
  'notify of what waits': notifyOfWaiting,
  'send digests': sendDigests,
  // Before the revalidation, which leaves out records whose answers are not moved yet.
  'move answers': async (context) => {
    await reopenMigrations(context.db)
    await workOnMigrations(context)
  },
  // Continues the revalidation after a publication that no server finished, and of records saved by an older version.
  'revalidate records': revalidateIfPublished,
  'evaluate automations': evaluateLeft,
  // After an upgrade, and to continue the indexing after a publication that no server finished.
  'index answers': indexAnswers,
  'count answers': countAnswers,
  'verify access': verifyAccessSlice,
  'find likely pairs': findLikelyPairs,
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
  const { TIME_ZONE: timeZone, BANK_HOLIDAYS: bankHolidays } = settings
  await revalidateRecords({ db, timeZone, bankHolidays, ending })
}

/** Compares the clients saved since the last run, or within an hour before it; all of them after an upgrade. */
function findLikelyPairs({ db, ending, lastOk }: JobContext): Promise<void> {
  return storePairs({ db, ending, since: lastOk && new Date(lastOk.getTime() - 3_600_000) })
}

/**
 * Verifies the access rows of the clients whose turn it is this hour, and rebuilds those that differ. A difference
 * fails the run, because triggers should have prevented it: the failure is on Health and in the metrics.
 */
async function verifyAccessSlice({ db, log, ending }: JobContext): Promise<void> {
  const slice = { remainder: new Date().getUTCHours() % ACCESS_SLICES, of: ACCESS_SLICES }
  const verified = await verifyAccess(db, { rebuild: true, slice, ending })
  if (verified.differing === 0) return
  log.warn(verified, 'access rows differed and were rebuilt')
  throw Object.assign(new Error('Access rows differed'), { code: 'accessDiffered' })
}

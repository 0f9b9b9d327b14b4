import { sql } from 'kysely'
import { type RenewableLink, type Renewal, renew } from '../../access/openid/renew.ts'
import { endSessionsOf } from '../../access/session.ts'
import type { Db } from '../../core/db.ts'
import type { Settings } from '../../core/settings.ts'
import { writeSystemAuditEvent } from '../../records/audit/audit.ts'
import { applyGroups } from './applyGroups.ts'

/** Minutes after which a sign-on is renewed: less than an hour, so that the hourly job renews each. */
const RENEW_MINUTES = 50

interface RenewContext {
  db: Db
  settings: Settings
  /** Aborted when the server closes. */
  ending?: AbortSignal
}

/** Outcomes after which a provider is not asked again in the same run. */
const SILENT: Renewal['outcome'][] = ['unreachable', 'clientRefused']
/** Outcomes that fail the job, the worst one first: leavers are not noticed until somebody mends it. */
const FAILURES: Renewal['outcome'][] = ['clientRefused', 'unreadable', 'unreachable', 'failed']

/**
 * Renews the sign-ons of everybody, so that an account that was disabled or deleted at its provider is noticed within
 * an hour. An error that says nothing about the person ends nobody's session; the run fails after it has asked for the
 * others.
 */
export async function renewSignOns({ db, settings, ending }: RenewContext): Promise<void> {
  if (settings.OPENID_PROVIDERS === '') return
  const links = await renewable(db, sql`l.refreshed_at < now() - make_interval(mins => ${RENEW_MINUTES})`)
  const silent = new Set<string>()
  const outcomes = new Set<Renewal['outcome']>()
  for (const link of links) {
    if (ending?.aborted) return
    if (silent.has(link.issuer)) continue
    const outcome = await renewLink({ db, settings }, link)
    outcomes.add(outcome)
    if (SILENT.includes(outcome)) silent.add(link.issuer)
  }
  const failure = FAILURES.find((one) => outcomes.has(one))
  if (failure) throw Object.assign(new Error('Sign-ons could not be renewed'), { code: `signOn ${failure}` })
}

/** Renews the sign-ons of one person, before they get a session by their password. */
export async function renewSignOnsOf({ db, settings }: RenewContext, staff: number): Promise<void> {
  if (settings.OPENID_PROVIDERS === '') return
  for (const link of await renewable(db, sql`l.staff = ${staff}`)) await renewLink({ db, settings }, link)
}

async function renewable(db: Db, where: ReturnType<typeof sql>): Promise<RenewableLink[]> {
  const { rows } = await sql<RenewableLink>`select l.id, l.staff, l.issuer, l.subject, l.refresh_token
    from openid_link l where l.refresh_token is not null and ${where} order by l.refreshed_at, l.id`.execute(
    db,
  )
  return rows
}

/**
 * Renews a sign-on. A refusal ends all sessions of the person at once, and until their next sign-on they count as
 * somebody who may not sign in. A provider that sends no groups takes no role away here, because many send them only at
 * a sign-in.
 */
async function renewLink({ db, settings }: RenewContext, link: RenewableLink) {
  const renewal = await renew(db, settings, link)
  if (renewal.outcome === 'renewed' && renewal.identity.groups)
    await applyGroups({ db, settings }, { ...link, groups: renewal.identity.groups })
  if (renewal.outcome === 'refused')
    await db.transaction().execute(async (tx) => {
      await sql`update staff set refused_at = now() where id = ${link.staff}`.execute(tx)
      await sql`update openid_link set roles = '{}' where id = ${link.id}`.execute(tx)
      await endSessionsOf(tx, link.staff)
      await writeSystemAuditEvent(tx, { action: 'sign-on refused', entity: 'staff', record: link.staff })
    })
  return renewal.outcome
}

import { sql } from 'kysely'
import { type RenewableLink, renew } from '../../access/openid/renew.ts'
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

/**
 * Renews the sign-ons of everybody, so that an account that was disabled or deleted at its provider is noticed within an
 * hour. A provider that does not answer is not asked again in this run.
 */
export async function renewSignOns({ db, settings, ending }: RenewContext): Promise<void> {
  if (settings.OPENID_PROVIDERS === '') return
  const links = await renewable(db, sql`l.refreshed_at < now() - make_interval(mins => ${RENEW_MINUTES})`)
  const silent = new Set<string>()
  for (const link of links) {
    if (ending?.aborted) return
    if (silent.has(link.issuer)) continue
    if ((await renewLink({ db, settings }, link)) === 'unreachable') silent.add(link.issuer)
  }
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
 * Renews a sign-on. A refusal ends all sessions of the person at once, and until their next sign-on their open work
 * counts as that of a person who is not there.
 */
async function renewLink({ db, settings }: RenewContext, link: RenewableLink) {
  const renewal = await renew(db, settings, link)
  if (renewal.outcome === 'renewed') await applyGroups(db, link.staff, renewal.identity.groups)
  if (renewal.outcome === 'refused')
    await db.transaction().execute(async (tx) => {
      await sql`update staff set refused_at = now() where id = ${link.staff}`.execute(tx)
      await endSessionsOf(tx, link.staff)
      await writeSystemAuditEvent(tx, { action: 'sign-on refused', entity: 'staff', record: link.staff })
    })
  return renewal.outcome
}

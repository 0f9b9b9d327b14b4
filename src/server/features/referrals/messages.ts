import { sql } from 'kysely'
import type { ReferralRequest } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { isSender } from './decide.ts'
import { mailReferrer } from './mailReferrer.ts'

/** Adds a message to the other side of a referral, unread there, or mails its referrer a link; returns the id. */
export async function addMessage(call: Call, request: ReferralRequest, text: string): Promise<number> {
  const hubs = [request.hub, request.from_hub]
  const [from, to] = isSender(call, request) ? hubs.reverse() : hubs
  const { rows } = await sql<{
    id: number
  }>`insert into referral_messages (hub, from_hub, request, text, role, created_by, unread_by)
    values (${to}, ${from}, ${request.id}, ${text}, ${call.me.groups[0] ?? null}, ${call.me.id}, ${to}) returning id`.execute(
    call.db,
  )
  const { id } = rows[0]
  await writeAuditEvent(call, { action: 'create', entity: 'referralMessage', record: id, version: 1 })
  mailReferrer(call, request, 'written')
  return id
}

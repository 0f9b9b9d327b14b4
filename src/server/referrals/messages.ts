import { sql } from 'kysely'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import { sideOf } from './decide.ts'

/** Adds a message of the caller's side of a referral to the other, which has not read it; the message's id. */
export async function addMessage(call: Call, request: Row, text: string): Promise<number> {
  const isAsked = sideOf(call, request) === 'asked'
  const [from, to] = isAsked ? [request.hub, request.from_hub] : [request.from_hub, request.hub]
  const { rows } = await sql<{
    id: number
  }>`insert into referral_messages (hub, from_hub, request, text, created_by, unread_by)
    values (${to}, ${from}, ${request.id}, ${text}, ${call.me.id}, ${to}) returning id`.execute(call.db)
  return rows[0].id
}

import { sql } from 'kysely'
import { seesAlertedRecord } from '../../access/alertedRecord.ts'
import type { Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'

/** Lets the caller's next call through a hold, once and within ten minutes, with a reason that is audited. */
export const pass: Handler = async (call) => {
  const { db, me, params, contract } = call
  const { reason } = await validateBody(call, contract.bodies.withReason, call.body)
  const { rows } = await sql<{
    text: string
    case: number
    issue: number | null
    may: boolean
  }>`select h.text, s."case", s.issue, h.pass && ${me.groups}::int[] as may
    from automation_holds h join automation_states s on s.id = h.state where h.id = ${params.id} and ${seesAlertedRecord(me, 's')}`.execute(
    db,
  )
  const [hold] = rows
  if (!hold) throw problem('notFound')
  if (!hold.may) throw problem('forbidden')
  await sql`insert into hold_passes (hold, staff, reason) values (${params.id}, ${me.id}, ${reason})`.execute(
    db,
  )
  await writeAuditEvent(call, {
    action: 'pass hold',
    entity: hold.issue === null ? 'case' : 'issue',
    record: hold.issue ?? hold.case,
    changes: { hold: { from: null, to: hold.text }, reason: { from: null, to: reason } },
  })
  call.reply.code(204)
}

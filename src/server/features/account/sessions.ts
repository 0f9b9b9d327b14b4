import { endSessionOf, endSessionsOf, tokenOf } from '../../access/session.ts'
import { sessionPage } from '../../access/sessionPage.ts'
import type { Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'

export const mine: Handler = (call) => sessionPage(call, call.me.id)

export const end: Handler = async (call) => {
  const { db, me, params, reply } = call
  if (!(await endSessionOf(db, me.id, Number(params.id)))) throw problem('notFound')
  await writeAuditEvent(call, { action: 'end session', entity: 'staff', record: me.id })
  reply.code(204)
}

export const endOthers: Handler = async (call) => {
  const { db, me, request } = call
  const ended = await endSessionsOf(db, me.id, tokenOf(request.headers.authorization))
  if (ended > 0) await writeAuditEvent(call, { action: 'end sessions', entity: 'staff', record: me.id })
  return { ended }
}

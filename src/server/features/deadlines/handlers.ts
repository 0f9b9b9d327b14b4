import { sql } from 'kysely'
import type { Call, Handler } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'

/** Excuses a deadline that was not met: it is no longer due, and counts as neither met nor missed. */
export const excuse: Handler = async (call) => {
  const { db, me, params, contract, settings } = call
  const { reason } = await validateBody(call, contract.bodies.withReason, call.body)
  const before = await fetch(call, contract.entities.deadline, params.id)
  if (before.met_on !== null || before.excused_on !== null) throw problem('notFound')
  const day = today(settings.TIME_ZONE)
  await sql`update deadlines set excused_on = ${day}, excused_by = ${me.id}, excused_reason = ${reason}
    where id = ${params.id}`.execute(db)
  await auditAndEvaluate(call, before, { from: null, to: reason })
  return fetch(call, contract.entities.deadline, params.id)
}

/** Undoes an excuse, unless a later one of the same deadline was met or excused since. */
export const unexcuse: Handler = async (call) => {
  const { db, params, contract } = call
  const before = await fetch(call, contract.entities.deadline, params.id)
  if (before.excused_on === null) throw problem('notFound')
  await sql`delete from deadlines d using deadlines own where own.id = ${params.id} and d.is_open
    and d.name = own.name and d."case" = own."case" and d.issue is not distinct from own.issue and d.seq > own.seq`.execute(
    db,
  )
  await sql`update deadlines set excused_on = null, excused_by = null, excused_reason = null
    where id = ${params.id}`.execute(db)
  await auditAndEvaluate(call, before, { from: before.excused_reason, to: null })
  return fetch(call, contract.entities.deadline, params.id)
}

interface Excused {
  case: number
  issue: number | null
  label: string
}

/** Writes the audit event of the record, and notes its case for the evaluation at the end of the call. */
async function auditAndEvaluate(
  call: Call,
  { case: caseId, issue, label }: Excused,
  excused: { from: unknown; to: unknown },
): Promise<void> {
  await writeAuditEvent(call, {
    action: excused.to === null ? 'unexcuse' : 'excuse',
    entity: issue === null ? 'case' : 'issue',
    record: issue ?? caseId,
    changes: { [label]: excused },
  })
  await sql`insert into automation_changes ("case") values (${caseId})`.execute(call.db)
}

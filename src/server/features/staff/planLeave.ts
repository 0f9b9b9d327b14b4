import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { LeaveRecord } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { today } from '../../core/today.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { switchToday } from './switchLeave.ts'

/**
 * Changes the leave of a person, who may be the caller. Leave that has begun takes effect at once, and so does the end
 * of one that was moved or cancelled while it lasted.
 */
export async function planLeave(call: Call, id: number): Promise<LeaveRecord> {
  const { leave } = call.contract.entities
  const one = { ...call, params: { id } }
  const before = await fetch(one, leave, id)
  // Leave is part of the person's record: so are its audit and its conflicts.
  const after = (await update(one, { ...leave, $id: 'staff' })) as LeaveRecord
  if (after.covered_by !== null) await refuseCover(call, id, after.covered_by)
  const day = today(call.settings.TIME_ZONE)
  if (lasts(before, day) && !lasts(after, day)) await returnToWork(call, id)
  await switchToday(call.db, call.settings)
  return fetch(one, leave, id)
}

/** True if the planned leave includes a day. */
function lasts({ leave_from, leave_to }: Pick<LeaveRecord, 'leave_from' | 'leave_to'>, day: string): boolean {
  return leave_from !== null && leave_from <= day && (leave_to === null || leave_to >= day)
}

async function refuseCover({ db }: Call, id: number, cover: number): Promise<void> {
  if (cover === id) throw fieldProblem({ covered_by: ['Who covers must be somebody else'] })
  const { rows } = await sql`select from staff where id = ${cover} and is_employed(status)`.execute(db)
  if (!rows[0]) throw fieldProblem({ covered_by: ['Who covers must be somebody who works here'] })
}

async function returnToWork(call: Call, id: number): Promise<void> {
  const { rows } = await sql<{
    version: number
  }>`update staff set status = ${STATUS.active}, version = version + 1
    where id = ${id} and status = ${STATUS.onLeave} returning version`.execute(call.db)
  if (!rows[0]) return
  const changes = { status: { from: STATUS.onLeave, to: STATUS.active } }
  const { version } = rows[0]
  await writeAuditEvent(call, { action: 'update', entity: 'staff', record: id, version, changes })
}

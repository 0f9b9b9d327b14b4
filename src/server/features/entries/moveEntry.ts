import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Issue } from '../../../contract/types/entities.ts'
import { isSet } from '../../../contract/when.ts'
import { callerById } from '../../access/session.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'
import { isOnIssue, type LockedEntry, openStepOf, storeEntry } from './entries.ts'
import { refuseAssignee, seesPlace } from './taskAssignee.ts'

/** Where an entry is moved to; `assignee` is who is to do a step there, if not the same person. */
interface Destination {
  issue: Pick<Issue, 'id' | 'case' | 'client' | 'is_opened' | 'status'>
  assignee?: number | null
}

/**
 * Moves an entry to a visible issue. Its history goes with it; the issue that it leaves keeps an event without its
 * contents, because not everybody who sees that one may see the other. The open step of an action goes with it.
 */
export async function moveEntry(
  call: Call,
  entity: Entity,
  row: LockedEntry,
  destination: Destination,
): Promise<void> {
  const { issue } = destination
  if (isOnIssue(entity) ? row.issue === issue.id : isOfCase(row, issue))
    throw fieldProblem({ issue: ['This is the issue that it is on: choose another'] })
  if (row.error_reason !== null)
    throw fieldProblem({ issue: ['It is marked as entered in error: undo that first'] })
  const step = entity.$id === 'action' ? await openStepOf(call, row) : undefined
  if (step) await moveEntry(call, call.contract.entities.task, step, destination)
  const assignee =
    entity.$id === 'task' && row.done_at === null ? await assigneeThere(call, row, destination) : row.assignee
  const columns = isOnIssue(entity)
    ? { issue: issue.id, ...(assignee !== row.assignee && { assignee }) }
    : { client: issue.client, case: issue.case }
  const changes: Changes = Object.fromEntries(
    Object.entries(columns).map(([name, to]) => [name, { from: row[name as keyof LockedEntry] ?? null, to }]),
  )
  const record = row.id
  // The trigger adds the place of an event, which is still the one before.
  await writeAuditEvent(call, {
    action: 'move away',
    entity: entity.$id,
    record,
    changes: placeOnly(changes),
  })
  const after = await storeEntry(call, entity, row, { action: 'move', columns, changes })
  await sql`select place_audit_events(${entity.$id}, ${record})`.execute(call.db)
  await notifyOfChanges({ ...call, by: call.me.id }, entity.$id, [{ before: { ...row }, after }])
}

/** True if signposting belongs to the case of an issue, or to its client alone. */
function isOfCase({ client, case: caseRecord }: LockedEntry, issue: Destination['issue']): boolean {
  return client === issue.client && (!isSet(caseRecord) || caseRecord === issue.case)
}

/** The changes of where an entry is, without those of who is to do it. */
function placeOnly({ assignee: _, ...changes }: Changes): Changes {
  return changes
}

/** Who does an open step on another issue: refuses an issue that is closed, and a person who does not see it. */
async function assigneeThere(
  call: Call,
  step: LockedEntry,
  { issue, assignee }: Destination,
): Promise<LockedEntry['assignee']> {
  if (!issue.is_opened || issue.status !== STATUS.active)
    throw fieldProblem({ issue: ['A step that is still to be done needs an open issue'] })
  const place = { issue: issue.id, case: issue.case, client: issue.client }
  if (isSet(assignee)) {
    await refuseAssignee(call, { assignee, ...place })
    return assignee
  }
  if (!isSet(step.assignee) || step.assignee === call.me.id) return step.assignee
  const person = await callerById(call.db, step.assignee!)
  if (person && (await seesPlace(call.db, person, place))) return step.assignee
  const { rows } = await sql<{ name: string }>`select trim(first_name || ' ' || last_name) as name
    from staff where id = ${step.assignee}`.execute(call.db)
  throw fieldProblem({
    assignee: [`${rows[0].name}, who is to do it, may not see that issue: choose who is to do it there`],
  })
}

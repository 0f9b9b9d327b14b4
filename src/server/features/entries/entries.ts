import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { ActionRecord, Task } from '../../../contract/types/entities.ts'
import { isSet } from '../../../contract/when.ts'
import { scoped } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { problem } from '../../core/problems.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { assignments } from '../../records/query/columns.ts'
import { fetch } from '../../records/verbs/read.ts'

/**
 * A locked row of the table of an entry, with the columns that one or another of them has; signposting has no version
 * and no issue.
 */
export type LockedEntry = Pick<ActionRecord, 'id' | 'error_reason'> &
  Partial<Pick<Task, 'version' | 'issue' | 'case' | 'client' | 'assignee' | 'done_at'>>

/**
 * Entities whose rows can be moved to another issue and marked as entered in error. All are below an issue but
 * signposting, which belongs to a client and case.
 */
const ENTRIES = ['action', 'task', 'issueDocument', 'signpost'] as const

/** The entity of an entry by its name in a path; throws the 404. */
export function entryEntity({ contract }: Call, name: unknown): Entity {
  if (!(ENTRIES as readonly unknown[]).includes(name)) throw problem('notFound')
  return contract.entities[String(name)]
}

export function isOnIssue({ properties }: Entity): boolean {
  return 'issue' in properties
}

/** Locks an entry that the caller may see, marked as entered in error or not; throws the 404. */
export async function lockEntry({ db, me }: Call, entity: Entity, id: unknown): Promise<LockedEntry> {
  const { rows } = await sql<LockedEntry>`select r.* from ${sql.table(entity.table!)} r
    where r.id = ${id} and ${scoped(entity, me)} for update of r`.execute(db)
  if (!rows[0]) throw problem('notFound')
  return rows[0]
}

/**
 * Throws the 404 if the caller may not see the record that an entry is on, such as the issue of a task given to them.
 */
export async function refuseInvisiblePlace(
  call: Call,
  { issue, case: caseRecord, client }: LockedEntry,
): Promise<void> {
  const { entities } = call.contract
  if (isSet(issue)) await fetch(call, entities.issue, issue)
  else if (isSet(caseRecord)) await fetch(call, entities.case, caseRecord)
  else if (isSet(client)) await fetch(call, entities.client, client)
}

/** Stores columns of an entry with an audit event, and returns its row. */
export async function storeEntry(
  call: Call,
  entity: Entity,
  row: LockedEntry,
  { action, columns, changes }: { action: string; columns: Partial<LockedEntry>; changes: Changes },
): Promise<Row> {
  // Signposting has no version.
  const stamp = 'version' in row ? sql`, version = version + 1, updated_at = now()` : sql``
  const { rows } = await sql<
    Row & Pick<LockedEntry, 'version'>
  >`update ${sql.table(entity.table!)} r set ${assignments(columns)} ${stamp}
    where id = ${row.id} returning r.*`.execute(call.db)
  const [after] = rows
  const { version } = after
  await writeAuditEvent(call, { action, entity: entity.$id, record: row.id, version, changes })
  return after
}

/** The open task that an action planned, while it is on the same issue. */
export async function openStepOf({ db }: Call, action: LockedEntry): Promise<LockedEntry | undefined> {
  const { rows } =
    await sql<LockedEntry>`select t.* from tasks t where t.action = ${action.id} and t.done_at is null
    and t.issue is not distinct from ${action.issue}::int and t.error_reason is null for update`.execute(db)
  return rows[0]
}

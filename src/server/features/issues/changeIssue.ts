import { sql } from 'kysely'
import type { Issue } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { assignments, listsAsJson } from '../../records/query/columns.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'
import { notifyOfChanges } from '../../records/workNotices/notifyOfChanges.ts'

/** Locks and reads the issue of the path; throws the 404. */
export async function lockedIssue(call: Call): Promise<Issue> {
  await lockRow(call, call.contract.entities.issue)
  return fetch(call, call.contract.entities.issue, call.params.id)
}

/**
 * Updates columns of an issue with an audit event, which also has the changes in `noted`; returns the issue even if the
 * caller can no longer see it.
 */
export async function changeIssue(
  call: Call,
  issue: Issue,
  action: string,
  columns: Partial<Issue>,
  noted: Changes = {},
): Promise<Issue> {
  const entity = call.contract.entities.issue
  const { rows } = await sql<{
    version: number
  }>`update issues set ${assignments(listsAsJson(entity, columns))}, version = version + 1, updated_at = now()
    where id = ${issue.id} returning version`.execute(call.db)
  const changes: Changes = Object.fromEntries(
    Object.entries(columns).map(([name, to]) => [name, { from: issue[name as keyof Issue] ?? null, to }]),
  )
  await writeAuditEvent(call, {
    action,
    entity: 'issue',
    record: issue.id,
    version: rows[0].version,
    changes: { ...changes, ...noted },
  })
  const after = { ...issue, ...columns }
  await notifyOfChanges({ ...call, by: call.me.id }, 'issue', [{ before: { ...issue }, after }])
  return fetchAny(call, entity, issue.id)
}

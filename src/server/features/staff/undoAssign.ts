import { sql } from 'kysely'
import type { Issue } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import { type Changes, changesSince, writeAuditEvent } from '../../records/audit/audit.ts'
import { assignments } from '../../records/query/columns.ts'
import { movedWords } from './movedWords.ts'

/** Seconds in which an assignment can be undone: the ten of the button, and a slow connection. */
const UNDO_S = 60

type Assigned = Pick<Issue, 'id' | 'client' | 'version'> & {
  /** The version that the caller's last assignment made, and its changes; null if there is none of the last seconds. */
  made: number | null
  changes: Changes | null
}

/**
 * Undoes the last assignment that the caller made of each issue, just now, all of them or none: an issue that was
 * changed since refuses in words who changed it. The audit decides what may be undone, because the caller may no longer
 * see the issues.
 */
export async function undoAssignments(call: Call, issues: number[]) {
  const { db, me } = call
  const { rows } = await sql<Assigned>`select i.id, i.client, i.version, a.version as made, a.changes
    from issues i
    left join lateral (
      select a.version, a.changes from audit a where a.entity = 'issue' and a.record = i.id and a.action = 'assign'
        and a.staff = ${me.id} and a.at > now() - make_interval(secs => ${UNDO_S}) order by a.version desc limit 1
    ) a on true
    where i.id = any(${issues}::int[]) order by i.id for update of i`.execute(db)
  if (rows.length < issues.length || rows.some(({ changes }) => changes === null))
    throw problem('tooLateToUndo')
  for (const { id, version, made } of rows) if (version !== made) await refuseChanged(call, id, made!)
  for (const { id, version, changes } of rows) await restore(call, id, version, changes!)
  return { count: rows.length, words: `${movedWords(rows)} back`, failed: [] }
}

async function refuseChanged(call: Call, id: number, version: number): Promise<never> {
  const by = (await changesSince(call, 'issue', id, version)).at(-1)?.by ?? 'somebody'
  const message = `Issue ${id} was changed meanwhile by ${by}, so nothing is put back. Assign the issues again instead.`
  throw problem('tooLateToUndo', { message })
}

/** Puts an issue back as it was, and withdraws the notice that its assignee got. */
async function restore(call: Call, id: number, version: number, changes: Changes): Promise<void> {
  const before = Object.fromEntries(Object.entries(changes).map(([name, { from }]) => [name, from]))
  const next = version + 1
  await sql`update issues set ${assignments(before)}, version = ${next}, updated_at = now() where id = ${id}`.execute(
    call.db,
  )
  await sql`delete from work_notices where issue = ${id} and staff = ${changes.advocate?.to ?? null}`.execute(
    call.db,
  )
  const reversed = Object.fromEntries(
    Object.entries(changes).map(([name, { from, to }]) => [name, { from: to, to: from }]),
  )
  await writeAuditEvent(call, {
    action: 'assign',
    entity: 'issue',
    record: id,
    version: next,
    changes: reversed,
  })
}

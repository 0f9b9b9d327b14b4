import { sql } from 'kysely'
import type { Entity } from '../../../contract/generated.ts'
import type { Entry } from '../../../contract/types/entities.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, type Problem } from '../../core/problems.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { fetch } from '../../records/verbs/read.ts'
import type { LockedEntry } from './entries.ts'
import { entryEntity, lockEntry, openStepOf, refuseInvisiblePlace, storeEntry } from './entries.ts'
import { moveEntry } from './moveEntry.ts'

/** Moves an entry to another issue that the caller may write, as they may the one that it is on. */
export const move: Handler = async (call) => {
  const { entity, row } = await requestedEntry(call)
  const { issue, assignee } = await validateBody(call, call.contract.bodies.moveEntry, call.body)
  const target = await fetch(call, call.contract.entities.issue, issue).catch((error: Problem) => {
    if (error.statusCode !== 404) throw error
    throw fieldProblem({ issue: ['It must be an issue that you may see'] })
  })
  await moveEntry(call, entity, row, { issue: target, assignee })
  return reply(call, entity)
}

/** Marks an entry as entered in error: it is kept in the chronology, and in no list, sum or report. */
export const markError: Handler = async (call) => {
  const { entity, row } = await requestedEntry(call)
  const { reason } = await validateBody(call, call.contract.bodies.withReason, call.body)
  // The step that was planned with the action is an error too.
  const step = entity.$id === 'action' ? await openStepOf(call, row) : undefined
  if (step) await setError(call, call.contract.entities.task, step, reason)
  await setError(call, entity, row, reason)
  return reply(call, entity)
}

/** Undoes `markError`, also for the step that was marked with its action. */
export const clearError: Handler = async (call) => {
  const { entity, row } = await requestedEntry(call)
  if (entity.$id === 'action') {
    const { rows } = await sql<LockedEntry>`select t.* from tasks t where t.action = ${row.id}
      and t.error_reason = ${row.error_reason} for update`.execute(call.db)
    if (rows[0]) await setError(call, call.contract.entities.task, rows[0], null)
  }
  await setError(call, entity, row, null)
  return reply(call, entity)
}

async function setError(call: Call, entity: Entity, row: LockedEntry, reason: string | null): Promise<void> {
  if (row.error_reason === reason) return
  await storeEntry(call, entity, row, {
    action: reason === null ? 'clear error' : 'mark error',
    columns: { error_reason: reason },
    changes: { error_reason: { from: row.error_reason ?? null, to: reason } },
  })
}

/** Locks and returns the entry of the path; throws the 404 if the caller may not see the entry or its record. */
async function requestedEntry(call: Call): Promise<{ entity: Entity; row: LockedEntry }> {
  const entity = entryEntity(call, call.params.entity)
  const row = await lockEntry(call, entity, call.params.id)
  await refuseInvisiblePlace(call, row)
  return { entity, row }
}

async function reply({ db, params }: Call, entity: Entity): Promise<Entry> {
  const place = entity.properties.issue ? sql`r.issue` : sql`null::int as issue`
  const of = entity.$id === 'issueDocument' ? sql`p."case", p.client` : sql`r."case", r.client`
  const { rows } = await sql<Entry>`select e.*, c.first_name || ' ' || c.last_name as client_name from (
      select r.id, ${entity.$id}::text as entity, ${place}, ${of}, r.error_reason
      from ${sql.table(entity.table!)} r ${entity.$id === 'issueDocument' ? sql`join issues p on p.id = r.issue` : sql``}
      where r.id = ${params.id}
    ) e left join clients c on c.id = e.client`.execute(db)
  return rows[0]
}

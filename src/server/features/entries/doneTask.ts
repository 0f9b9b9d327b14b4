import { sql } from 'kysely'
import type { Task } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem } from '../../core/problems.ts'
import { writeAuditEvent } from '../../records/audit/audit.ts'
import { lockRow } from '../../records/verbs/lockRow.ts'
import { fetch, fetchAny } from '../../records/verbs/read.ts'

/** Marks the task of the path as not needed any more, with a reason that was validated. */
export async function dropTask(call: Call, reason: string): Promise<Task> {
  const row = await lockedTask(call)
  if (row.is_done) throw fieldProblem({ reason: ['This step is not open any more'] })
  return store(call, row, { done: true, reason })
}

/** Marks the task of the path as done or to do; one that is so already is unchanged. */
export async function setDone(call: Call, isDone: boolean): Promise<Task> {
  const row = await lockedTask(call)
  return row.is_done === isDone ? row : store(call, row, { done: isDone })
}

async function lockedTask(call: Call): Promise<Task> {
  const { task } = call.contract.entities
  await lockRow(call, task)
  return fetch(call, task, call.params.id)
}

/** Stores that a task is done, not needed any more (with a reason), or to do again, with its audit event. */
async function store(call: Call, row: Task, { done, reason }: { done: boolean; reason?: string }) {
  const { rows } = await sql<{ version: number; done_at: Date | null }>`update tasks
    set done_at = ${done ? sql`now()` : null}, dropped_reason = ${reason ?? null}, version = version + 1, updated_at = now()
    where id = ${row.id} returning version, done_at`.execute(call.db)
  const [{ version, done_at }] = rows
  const dropped = { from: row.dropped_reason ?? null, to: reason ?? null }
  await writeAuditEvent(call, {
    action: reason === undefined ? (done ? 'complete' : 'reopen') : 'drop',
    entity: 'task',
    record: row.id,
    version,
    changes: {
      done_at: { from: row.done_at ?? null, to: done_at },
      ...(dropped.from !== dropped.to && { dropped_reason: dropped }),
    },
  })
  return fetchAny(call, call.contract.entities.task, row.id)
}

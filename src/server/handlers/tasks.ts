import { sql } from 'kysely'
import { isSet } from '../../contract/when.ts'
import { writeAuditEvent } from '../audit/audit.ts'
import type { Call, Handler } from '../call.ts'
import type { Row } from '../db.ts'
import { fieldProblem } from '../problems.ts'
import { visibleTo } from '../scope.ts'
import { callerById } from '../signIn/session.ts'
import { notifyOfWork } from '../staff/notifyOfWork.ts'
import { create as createRecord } from '../verbs/create.ts'
import { lockRow } from '../verbs/lockRow.ts'
import { fetch, fetchAny } from '../verbs/read.ts'
import { update as updateRecord } from '../verbs/update.ts'

/** Creates a task, assigned to the caller by default. */
export const create: Handler = async (call) => {
  const { assignee = call.me.id } = call.body
  const task = await createRecord({ ...call, body: { ...call.body, assignee } }, call.contract.entities.task)
  await refuseAssignee(call, task)
  await notifyAssignee(call, task)
  return task
}

/** Changes a task; its assignee must be allowed to take it. */
export const update: Handler = async (call) => {
  const { task: entity } = call.contract.entities
  if (!isSet(call.body.assignee)) return updateRecord(call, entity)
  await lockRow(call, entity)
  const before = await fetch(call, entity, call.params.id)
  const task = await updateRecord(call, entity)
  await refuseAssignee(call, task)
  if (task.assignee !== before.assignee) await notifyAssignee(call, task)
  return task
}

/** Marks a task as done; a task that is done already is unchanged. */
export const complete: Handler = (call) => setDone(call, true)

/** Marks a task as not done. */
export const reopen: Handler = (call) => setDone(call, false)

/** Notifies the assignee of a task, unless they are the caller. */
async function notifyAssignee({ db, me }: Call, { id, assignee }: Row): Promise<void> {
  if (!isSet(assignee)) return
  await notifyOfWork(db, { kind: 'task', by: me.id, to: new Map([[Number(id), Number(assignee)]]) })
}

async function setDone(call: Call, isDone: boolean) {
  const { task } = call.contract.entities
  await lockRow(call, task)
  const row = await fetch(call, task, call.params.id)
  if (row.is_done === isDone) return row
  const { rows } = await sql<{ version: number; done_at: Date | null }>`update tasks
    set done_at = ${isDone ? sql`now()` : null}, version = version + 1, updated_at = now()
    where id = ${row.id} returning version, done_at`.execute(call.db)
  const [{ version, done_at }] = rows
  await writeAuditEvent(call, {
    action: isDone ? 'complete' : 'reopen',
    entity: 'task',
    record: Number(row.id),
    version,
    changes: { done_at: { from: row.done_at ?? null, to: done_at } },
  })
  return fetchAny(call, task, row.id)
}

/**
 * Refuses an assignee who has left, whom the caller does not manage, or who does not see the task's issue, case or
 * client. Everybody may assign a task to themselves.
 */
async function refuseAssignee(call: Call, { assignee, issue, case: caseRecord, client }: Row): Promise<void> {
  const { db, me } = call
  if (assignee === null || assignee === me.id) return
  const { rows } =
    await sql`select 1 from staff s where s.id = ${assignee} and ${visibleTo('staff', me, 's')}`.execute(db)
  const person = rows[0] ? await callerById(db, Number(assignee)) : undefined
  if (!person) throw fieldProblem({ assignee: ['Assigned to must be somebody at work whom you manage'] })
  const [table, scope, id] = [
    ['issues', 'issue', issue],
    ['cases', 'case', caseRecord],
    ['clients', 'client', client],
  ].find(([, , one]) => isSet(one)) ?? ['', '', null]
  if (!isSet(id)) return
  const found = await sql`select 1 from ${sql.table(table as string)} r
    where r.id = ${id} and ${visibleTo(scope as string, person, 'r')}`.execute(db)
  if (!found.rows[0]) throw fieldProblem({ assignee: ['Assigned to must be somebody who sees its record'] })
}

import { isSet } from '../../../contract/when.ts'
import type { Handler } from '../../core/call.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { create as createRecord } from '../../records/verbs/create.ts'
import { update as updateRecord } from '../../records/verbs/update.ts'
import { dropTask, setDone } from './doneTask.ts'
import { refuseAssignee } from './taskAssignee.ts'

/** Creates a task, assigned to the caller by default. */
export const create: Handler = async (call) => {
  const { assignee = call.me.id } = call.body
  const task = await createRecord({ ...call, body: { ...call.body, assignee } }, call.contract.entities.task)
  await refuseAssignee(call, task)
  return task
}

/** Changes a task; its assignee must be allowed to take it. */
export const update: Handler = async (call) => {
  const { task: entity } = call.contract.entities
  if (!isSet(call.body.assignee)) return updateRecord(call, entity)
  const task = await updateRecord(call, entity)
  await refuseAssignee(call, task)
  return task
}

/** Marks a task as done; a task that is done already is unchanged. */
export const complete: Handler = (call) => setDone(call, true)

/** Marks a task as not done, also one that was not needed any more. */
export const reopen: Handler = (call) => setDone(call, false)

/** Marks an open task as not needed any more, with a reason. */
export const drop: Handler = async (call) => {
  const { reason } = await validateBody(call, call.contract.bodies.withReason, call.body)
  return dropTask(call, reason)
}

import { sql } from 'kysely'
import { isSet, type Values } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { fieldProblem, type Problem } from '../../core/problems.ts'
import { fetch } from '../../records/verbs/read.ts'
import { dropTask, setDone } from '../entries/doneTask.ts'
import { lockEntry } from '../entries/entries.ts'
import { moveEntry } from '../entries/moveEntry.ts'

/** A row of `steps` in the body of a closing. */
interface ClosedStep {
  task?: number
  becomes?: string
  reason?: string
  issue?: number
}

/** The open tasks of an issue that the caller may see, the first due first. */
export async function openSteps(
  { db, me }: Call,
  issue: Row,
): Promise<{ id: number; title: string; due: string }[]> {
  const { rows } = await sql<{
    id: number
    title: string
    due: string
  }>`select t.id, t.title, t.due from tasks t
    where t.issue = ${issue.id} and t.done_at is null and t.error_reason is null and ${visibleTo('task', me, 't')}
    order by t.due, t.id`.execute(db)
  return rows
}

const BECOMES: Record<string, (call: Call, step: ClosedStep, at: string) => Promise<unknown>> = {
  done: (call) => setDone(call, true),
  dropped: (call, { reason }, at) => {
    if (!isSet(reason)) throw fieldProblem({ [`${at}.reason`]: ['Say why it is not needed'] })
    return dropTask(call, reason!)
  },
  moved: async (call, { task, issue }, at) => {
    const { entities } = call.contract
    if (!isSet(issue)) throw fieldProblem({ [`${at}.issue`]: ['Choose the issue that it is moved to'] })
    try {
      const target = await fetch(call, entities.issue, issue)
      await moveEntry(call, entities.task, await lockEntry(call, entities.task, task), { issue: target })
    } catch (error) {
      const { statusCode, body } = error as Partial<Problem>
      if (statusCode === 404)
        throw fieldProblem({ [`${at}.issue`]: ['It must be an issue that you may see'] })
      if (statusCode !== 400) throw error
      throw fieldProblem({ [`${at}.issue`]: Object.values(body as Record<string, string[]>).flat() })
    }
  },
}

/** Does with the open steps of an issue what its closing says; one that is not named stays open. */
export async function closeSteps(call: Call, issue: Row, steps: Values[]): Promise<void> {
  const open = new Set((await openSteps(call, issue)).map(({ id }) => id))
  for (const [i, step] of (steps as ClosedStep[]).entries()) {
    const at = `steps.${i}`
    if (!open.delete(Number(step.task)))
      throw fieldProblem({ [`${at}.task`]: ['It must be an open step of this issue'] })
    const become = BECOMES[String(step.becomes)]
    if (!become) throw fieldProblem({ [`${at}.becomes`]: ['Say what becomes of this step'] })
    await become({ ...call, params: { id: step.task! }, body: {} }, step, at)
  }
}

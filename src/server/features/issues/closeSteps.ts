import { sql } from 'kysely'
import type { CloseIssueBody, Issue, Task } from '../../../contract/types/entities.ts'
import { isSet } from '../../../contract/when.ts'
import { visibleTo } from '../../access/scope.ts'
import type { Call } from '../../core/call.ts'
import { fieldProblem, type Problem } from '../../core/problems.ts'
import { fetch } from '../../records/verbs/read.ts'
import { dropTask, setDone } from '../entries/doneTask.ts'
import { lockEntry } from '../entries/entries.ts'
import { moveEntry } from '../entries/moveEntry.ts'

type ClosedSteps = NonNullable<CloseIssueBody['steps']>
type ClosedStep = ClosedSteps[number]
type OpenStep = Pick<Task, 'id' | 'title' | 'due'>

/** The open tasks of an issue that the caller may see, the first due first. */
export async function openSteps({ db, me }: Call, issue: Issue): Promise<OpenStep[]> {
  const { rows } = await sql<OpenStep>`select t.id, t.title, t.due from tasks t
    where t.issue = ${issue.id} and t.done_at is null and t.error_reason is null and ${visibleTo('task', me, 't')}
    order by t.due, t.id`.execute(db)
  return rows
}

const BECOMES: Record<
  NonNullable<ClosedStep['becomes']>,
  (call: Call, step: ClosedStep, at: string) => Promise<unknown>
> = {
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

/** Completes, drops or moves the open steps of an issue as its closing says; a step that is not named stays open. */
export async function closeSteps(call: Call, issue: Issue, steps: ClosedSteps): Promise<void> {
  const open = new Set((await openSteps(call, issue)).map(({ id }) => id))
  for (const [i, step] of steps.entries()) {
    const at = `steps.${i}`
    if (!open.delete(step.task!))
      throw fieldProblem({ [`${at}.task`]: ['It must be an open step of this issue'] })
    const become = step.becomes && BECOMES[step.becomes]
    if (!become) throw fieldProblem({ [`${at}.becomes`]: ['Say what becomes of this step'] })
    await become({ ...call, params: { id: step.task! }, body: {} }, step, at)
  }
}

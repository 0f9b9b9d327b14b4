import type { Issue } from '../../src/contract/types/entities.ts'
import type { Call } from '../../src/server/core/call.ts'
import { changeIssue } from '../../src/server/features/issues/changeIssue.ts'
import { validateBody } from '../../src/server/records/validate/validateBody.ts'
import { create } from '../../src/server/records/verbs/create.ts'
import { list } from '../../src/server/records/verbs/list.ts'
import { fetch } from '../../src/server/records/verbs/read.ts'

// `tsc` checks this file and nothing runs it: each line below must be an error, or the expectation of it is one.

export async function misspelt(call: Call, row: Pick<Issue, 'id' | 'advocate'>): Promise<unknown[]> {
  const { entities, bodies } = call.contract
  const issue = await fetch(call, entities.issue, 1)
  const task = await create(call, entities.task)
  const { data } = await list(call, entities.worklistRow)
  const closing = await validateBody(call, bodies.closeIssue, call.body)
  return [
    // @ts-expect-error: is_opened
    issue.is_opned,
    // @ts-expect-error: advocate
    issue.advcate,
    // @ts-expect-error: not a column of the query
    row.client,
    // @ts-expect-error: assignee
    task.asignee,
    // @ts-expect-error: due_group
    data[0].due_grop,
    // @ts-expect-error: reasons
    closing.reason,
    // @ts-expect-error: close_date
    changeIssue(call, issue, 'close', { closed_date: null }),
    // @ts-expect-error: nobody may be the advocate
    issue.advocate.toFixed(),
    // @ts-expect-error: a time is a Date in a row
    issue.created_at?.slice(0, 10),
  ]
}

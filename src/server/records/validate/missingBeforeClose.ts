import { sql } from 'kysely'
import { applyChanges } from '../../../contract/applyChanges.ts'
import type { Issue } from '../../../contract/types/entities.ts'
import { visibleTo } from '../../access/scope.ts'
import { ajvValidate } from '../../core/ajvValidate.ts'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'
import { metaFor } from './meta.ts'

export interface MissingItem {
  id: string
  label: string
}

/** Items that an issue lacks before it can be closed, in working order: answers, outcomes, next steps. */
export async function missingBeforeClose(call: Call, issue: Issue): Promise<MissingItem[]> {
  const answers = await unanswered(call, issue)
  const { rows } = await sql<{ due: number }>`select count(*)::int as due from tasks
    where issue = ${issue.id} and done_at is null and error_reason is null and ${visibleTo('task', call.me, 'tasks')}`.execute(
    call.db,
  )
  const rest: [boolean, MissingItem][] = [
    [issue.actual_outcomes.length === 0, { id: 'actual_outcomes', label: 'No actual outcome is recorded' }],
    [
      issue.ndti_outcomes.length === 0,
      { id: 'ndti_outcomes', label: 'No outcome for the person (NDTi) is recorded' },
    ],
    [rows[0].due > 0, { id: 'next_due', label: `Next steps not done: ${rows[0].due}` }],
  ]
  return [...answers, ...rest.filter(([is]) => is).map(([, one]) => one)]
}

async function unanswered(call: Call, issue: Issue): Promise<MissingItem[]> {
  const { groups, contextOf, seen } = await metaFor(call, call.contract.entities.issue, issue.id)
  const conditionContext = contextOf(issue)
  const stored = issue.answers
  const day = today(call.settings.TIME_ZONE)
  const { errors } = applyChanges({
    groups,
    stored,
    sent: stored,
    conditionContext,
    validateSchema: ajvValidate,
    today: day,
    all: true,
  })
  return Object.entries(errors)
    .filter(([path]) => !seen.withheld.has(path.split('.')[0]))
    .map(([path, [message]]) => ({ id: `answers.${path}`, label: message }))
}

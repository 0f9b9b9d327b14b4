import type { Deadline, DeadlineExpectation, FormTestAction, Group } from '../generated.ts'
import type { MetaName } from '../meta/metaTypes.ts'
import { META_OF } from '../meta/recordFields.ts'
import { evaluate } from '../visible.ts'
import { type ConditionContext, holds, type Values } from '../when.ts'
import type { Holidays } from '../workingDays.ts'
import { deadlineState, presentPeriod } from './deadlineState.ts'
import { evaluateDeadline } from './evaluateDeadline.ts'

/**
 * The deadlines of a sample record by name; null for one that is not due. The record is open and has the answers,
 * columns, case and day of `conditionContext`, and these actions. Hidden answers do not count.
 */
export function sampleDeadlines(
  deadlines: Deadline[],
  meta: MetaName,
  groups: Group[],
  conditionContext: ConditionContext,
  actions: FormTestAction[] = [],
): Record<string, DeadlineExpectation | null> {
  const own = deadlines.filter(({ of }) => META_OF[of] === meta)
  if (own.length === 0) return {}
  const { answers } = evaluate(groups, conditionContext)
  const { case: caseValues = {} } = (conditionContext.with ?? {}) as Record<string, Values>
  const of = own[0].of
  const context: ConditionContext = {
    answers,
    record: conditionContext.record,
    with: { case: of === 'case' ? { ...caseValues, ...answers } : caseValues },
  }
  const entries = actions
    .map(({ type, on }, i) => ({ id: i + 1, day: on, action_type: type }))
    .sort((a, b) => a.day.localeCompare(b.day))
  const today = conditionContext.today ?? ''
  return Object.fromEntries(
    own.map((deadline) => {
      const isPaused = deadline.paused !== undefined && holds(deadline.paused.when, context)
      const period = presentPeriod(
        deadline,
        evaluateDeadline(deadline, {
          context,
          entries,
          pauses: isPaused ? [{ from: today }] : [],
          holidays: conditionContext.holidays ?? NO_HOLIDAYS,
          version: 1,
          ended: [],
        }),
      )
      const state = deadlineState(period, today)
      if (!period || state === 'none' || state === 'excused') return [deadline.name, null]
      const stands = isPaused && state !== 'met'
      return [deadline.name, { due: period.due, state, ...(stands && { paused: true as const }) }]
    }),
  )
}

const NO_HOLIDAYS: Holidays = new Set()

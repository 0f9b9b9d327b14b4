import { contextOfTest, statesOf } from '../../contract/caseType/formTestContext.ts'
import { isRealDay } from '../../contract/days.ts'
import type { Calendars } from '../../contract/deadlines/calendars.ts'
import { sampleDeadlines } from '../../contract/deadlines/sampleDeadlines.ts'
import type { Deadline, FormTestWith, Group } from '../../contract/generated.ts'
import type { MetaName } from '../../contract/meta/metaTypes.ts'
import type { ConditionContext } from '../../contract/when.ts'
import { today } from '../../engine/core/today.ts'

/** What automations and deadlines are tried with besides the sample answers. */
export interface Trial {
  /** The day of the trial, as typed; undefined for today. */
  today?: string
  with: FormTestWith
}

export const NO_TRIAL: Trial = { with: {} }

/** The day of a trial; today if none was typed, or no real one. */
export function dayOfTrial(trial: Trial): string {
  return trial.today && isRealDay(trial.today) ? trial.today : today()
}

/** The condition context of a trial: its day, what it says of the record and its case, and the states of its deadlines. */
export function contextOfTrial(
  trial: Trial,
  around: ConditionContext,
  { deadlines, meta, groups, calendars }: TrialForm,
): ConditionContext {
  const test = { meta, as: { today: dayOfTrial(trial) }, with: trial.with }
  const context = { ...contextOfTest(test, around, calendars), user: around.user }
  return {
    ...context,
    deadline: statesOf(sampleDeadlines(deadlines, meta, groups, context, trial.with.actions)),
  }
}

interface TrialForm {
  deadlines: Deadline[]
  meta: MetaName
  groups: Group[]
  calendars: Calendars | undefined
}

/** The facts of a trial without empty parts; undefined if there are none. */
export function factsOfTrial({ with: facts }: Trial): FormTestWith | undefined {
  const parts = Object.entries(facts).filter(([, part]) => Object.keys(part).length > 0)
  return parts.length > 0 ? Object.fromEntries(parts) : undefined
}

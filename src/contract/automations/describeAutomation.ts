import type { ItemLabel } from '../describeAnswer.ts'
import type { Automation } from '../generated.ts'
import { describeCondition } from '../meta/describeCondition.ts'
import { type AutomatedForms, automationFields } from './automationFields.ts'
import { OUTCOMES, verbOf } from './outcomes.ts'

/** An automation as one sentence: "When 'Concern' is Yes on an issue, open or closed: show the alert “…”; notify …". */
export function describeAutomation(
  automation: Automation,
  forms: AutomatedForms,
  itemLabel?: ItemLabel,
): string {
  const record = automation.of === 'case' ? 'a case' : 'an issue'
  const open = automation.while === 'open' ? `${record} that is open` : `${record}, open or closed`
  const outcomes = automation.then.map((one) => OUTCOMES[verbOf(one)].words(one as never))
  return `When ${becauseOf(automation, forms, itemLabel)} on ${open}: ${outcomes.join('; ')}.`
}

/** The condition of an automation in words. */
export function becauseOf({ of, when }: Automation, forms: AutomatedForms, itemLabel?: ItemLabel): string {
  return describeCondition(when, automationFields(of, forms), itemLabel)
}

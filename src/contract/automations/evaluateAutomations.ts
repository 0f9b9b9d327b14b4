import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import { PLACEHOLDER } from '../filledTexts.ts'
import type { Automation, Group, NotifyOutcome, Outcome } from '../generated.ts'
import { fieldsByName } from '../meta/places.ts'
import { type ConditionContext, holds, isSet, type Values } from '../when.ts'
import { GROUP_PREFIX, verbOf, withFilledText } from './outcomes.ts'

/** A case or an issue as automations see it. `caseValues` are the columns and the answers of its case. */
export interface AutomationRecord {
  of: Automation['of']
  isOpen: boolean
  record: Values
  answers: Values
  caseValues: Values
  /** States of its deadlines by their names. */
  deadline?: Values
  client: Values
}

export function holdingAutomations(automations: Automation[], record: AutomationRecord): Automation[] {
  return automations.filter((one) => holdsFor(one, record))
}

export function holdsFor(
  automation: Automation,
  { of, isOpen, record, answers, caseValues, client, deadline }: AutomationRecord,
): boolean {
  if (automation.of !== of || automation.is_on === false) return false
  if (automation.while === 'open' && !isOpen) return false
  const conditionContext: ConditionContext = { answers, record, deadline, with: { case: caseValues, client } }
  return holds(automation.when, conditionContext)
}

/** The outcomes of an automation with the answers of a record in their texts. */
export function filledOutcomes(
  { then }: Pick<Automation, 'then'>,
  groups: Group[],
  answers: Values,
  itemLabel?: ItemLabel,
): Outcome[] {
  return then.map((one) => withFilledText(one, (text) => fillText(text, groups, answers, itemLabel)))
}

/** The codes of the groups of people that an automation notifies. */
export function groupsOf({ then }: Pick<Automation, 'then'>): string[] {
  const receivers = outcomesOf<NotifyOutcome>(then, 'notify').flatMap(({ notify }) => notify)
  return receivers.flatMap((one) => (one.startsWith(GROUP_PREFIX) ? [one.slice(GROUP_PREFIX.length)] : []))
}

export function outcomesOf<O extends Outcome>(then: Outcome[], verb: ReturnType<typeof verbOf>): O[] {
  return then.filter((one) => verbOf(one) === verb) as O[]
}

/** A text with its placeholders replaced by answers; one without an answer is left out with the punctuation before it. */
function fillText(text: string, groups: Group[], answers: Values, itemLabel?: ItemLabel): string {
  const fields = fieldsByName(groups)
  const filled = text.replaceAll(PLACEHOLDER, (found, name) => {
    if (name === undefined) return found[0]
    return isSet(answers[name]) ? describeAnswer(fields.get(name), answers[name], itemLabel) : ''
  })
  return filled.replace(/[\s:,–-]+$/, '').replaceAll(/ {2,}/g, ' ')
}

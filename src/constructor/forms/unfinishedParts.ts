import type { AutomationProblem } from '../../contract/automations/checkAutomations.ts'
import { OUTCOMES, textOfOutcome, type Verb, verbOf } from '../../contract/automations/outcomes.ts'
import type { DeadlineProblem } from '../../contract/deadlines/checkDeadlines.ts'
import type { Automation, Deadline, Outcome } from '../../contract/generated.ts'

/** What to do while the text of an outcome is blank. */
const BLANK: Record<Verb, string> = {
  alert: 'Say what the alert reads',
  notify: 'Say what people read',
  step: 'Say what is to be done',
  hold: 'Say why it is held',
}

/** What an automation still lacks, which a draft may lack and a publication may not. */
export function unfinishedParts(automations: Automation[]): AutomationProblem[] {
  return automations.flatMap(({ label, then }, i) => [
    ...(label.trim() ? [] : [{ path: [i, 'label'], message: 'Give the automation a name' }]),
    ...(then.length > 0
      ? []
      : [{ path: [i, 'then'], message: 'Say what happens: an alert, a notice, a step or a hold' }]),
    ...then.flatMap((one, k) =>
      missingIn(one).map(([key, message]) => ({ path: [i, 'then', k, key], message })),
    ),
  ])
}

/** What a deadline still lacks that only its draft may lack. */
export function unfinishedDeadlines(deadlines: Deadline[]): DeadlineProblem[] {
  return deadlines.flatMap(({ label }, i) =>
    label.trim() ? [] : [{ path: [i, 'label'], message: 'Give the deadline a name' }],
  )
}

function missingIn(outcome: Outcome): [key: string, message: string][] {
  const verb = verbOf(outcome)
  return [
    ...('notify' in outcome && outcome.notify.length === 0
      ? [['notify', 'Choose who is notified'] as [string, string]]
      : []),
    ...(textOfOutcome(outcome).trim() ? [] : [[OUTCOMES[verb].text, BLANK[verb]] as [string, string]]),
  ]
}

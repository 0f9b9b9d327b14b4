import type { AutomationProblem } from '../../contract/automations/checkAutomations.ts'
import { verbOf } from '../../contract/automations/outcomes.ts'
import type { DeadlineProblem } from '../../contract/deadlines/checkDeadlines.ts'
import type { Automation, Deadline, Outcome } from '../../contract/generated.ts'

/** The texts of an outcome, by the key that has each, with what to do while it is blank. */
const TEXTS: Record<ReturnType<typeof verbOf>, [key: string, message: string]> = {
  alert: ['alert', 'Say what the alert reads'],
  notify: ['text', 'Say what people read'],
  step: ['step', 'Say what is to be done'],
  hold: ['text', 'Say why it is held'],
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
  const [key, message] = TEXTS[verbOf(outcome)]
  const text = String(outcome[key as keyof Outcome] ?? '')
  return [
    ...('notify' in outcome && outcome.notify.length === 0
      ? [['notify', 'Choose who is notified'] as [string, string]]
      : []),
    ...(text.trim() ? [] : [[key, message] as [string, string]]),
  ]
}

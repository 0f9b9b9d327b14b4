import { type Verb, verbOf } from '../../contract/automations/outcomes.ts'
import type { Automation, Outcome } from '../../contract/generated.ts'

interface VerbFacts {
  /** Its name in the list and on the button that adds one. */
  name: string
  /** Its name in the sentence. */
  phrase: string
  /** A new outcome of an automation with this label. */
  initial: (label: string) => Outcome
}

/** The verbs of outcomes in the order of their buttons. */
export const VERBS: Record<Verb, VerbFacts> = {
  alert: {
    name: 'alert',
    phrase: 'show the alert',
    initial: (label) => ({ alert: label, level: 'warning' }),
  },
  notify: {
    name: 'notify',
    phrase: 'notify',
    initial: (label) => ({ notify: ['line_manager'], text: label }),
  },
  step: {
    name: 'step',
    phrase: 'plan the step',
    initial: () => ({ step: '', due: { working_days: 1 } }),
  },
  hold: { name: 'hold', phrase: 'hold', initial: () => ({ hold: 'close', text: '' }) },
}

/** The verbs of an automation as a list: "Alert, notify, step". */
export function verbsOf({ then }: Automation): string {
  const names = [...new Set(then.map((one) => VERBS[verbOf(one)].name))].join(', ')
  return names && names[0].toUpperCase() + names.slice(1)
}

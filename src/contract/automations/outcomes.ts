import type { AlertOutcome, Days, HoldOutcome, NotifyOutcome, Outcome, StepOutcome } from '../generated.ts'
import { pluralise } from '../pluralise.ts'
import { joinWords } from '../quoted.ts'

export type Verb = 'alert' | 'notify' | 'step' | 'hold'

interface OutcomeFacts {
  /** True for a state, which lasts while the condition holds; false for an event, when it begins to hold. */
  isLasting: boolean
  /** The key of its text. */
  text: 'alert' | 'step' | 'text'
  /** True if placeholders in its text are replaced by answers; false if people read it who may not see the record. */
  isFilled: boolean
  /** What it does, as the end of a sentence that begins with the condition. */
  words: (outcome: never) => string
}

export const HELD_WORDS: Record<HoldOutcome['hold'], string> = {
  close: 'closing',
  retire: 'retiring',
  remove: 'removing',
  purge: 'deleting for good',
  merge: 'merging',
}

/** Everything that depends on the verb of an outcome, which is the name of its first key. */
export const OUTCOMES: Record<Verb, OutcomeFacts> = {
  alert: {
    isLasting: true,
    text: 'alert',
    isFilled: true,
    words: ({ alert, level }: AlertOutcome) => `show the alert “${alert}” (${level})`,
  },
  notify: {
    isLasting: false,
    text: 'text',
    isFilled: false,
    words: ({ notify, text, urgent }: NotifyOutcome) =>
      `notify ${joinWords(notify.map(receiverWords))} once: “${text}”${urgent ? ', at once, also by email' : ''}`,
  },
  step: {
    isLasting: false,
    text: 'step',
    isFilled: false,
    words: ({ step, due, for: assignee = 'advocate' }: StepOutcome) =>
      `plan the step “${step}” once for ${receiverWords(assignee)}, due in ${daysWords(due)}`,
  },
  hold: {
    isLasting: true,
    text: 'text',
    isFilled: true,
    words: ({ hold, text, pass = [] }: HoldOutcome) =>
      `hold ${HELD_WORDS[hold]} with “${text}”${pass.length > 0 ? ', which some roles may pass with a reason' : ''}`,
  },
}

export function verbOf(outcome: Outcome): Verb {
  return (Object.keys(OUTCOMES) as Verb[]).find((verb) => verb in outcome)!
}

export function textOfOutcome(outcome: Outcome): string {
  return String(outcome[OUTCOMES[verbOf(outcome)].text as keyof Outcome] ?? '')
}

/** The text of an outcome whose placeholders are replaced by answers; undefined if it has none. */
export function filledTextOf(outcome: Outcome): string | undefined {
  return OUTCOMES[verbOf(outcome)].isFilled ? textOfOutcome(outcome) : undefined
}

/** The outcome with that text replaced. */
export function withFilledText(outcome: Outcome, replace: (text: string) => string): Outcome {
  const text = filledTextOf(outcome)
  return text === undefined ? outcome : { ...outcome, [OUTCOMES[verbOf(outcome)].text]: replace(text) }
}

/** The receivers that stand for people of the record. */
export const RECEIVERS: Record<string, string> = {
  advocate: 'the advocate',
  maker: 'who created the record',
  line_manager: 'the line manager of the advocate',
  hub_managers: 'the managers of the hub',
}
export const GROUP_PREFIX = 'group:'

/** What cannot happen to a held record, as a participle, by the call that the hold refuses. */
export const HELD: Record<HoldOutcome['hold'], string> = {
  close: 'closed',
  retire: 'retired',
  remove: 'deleted',
  purge: 'deleted for good',
  merge: 'merged',
}

/** A receiver in words; of a group its name. */
export function receiverWords(receiver: string): string {
  return RECEIVERS[receiver] ?? `the group ${receiver.slice(GROUP_PREFIX.length).replaceAll('_', ' ')}`
}

/** "1 working day", "2 days". */
export function daysWords({ days, working_days }: Days): string {
  return working_days === undefined ? pluralise(days ?? 0, 'day') : pluralise(working_days, 'working day')
}

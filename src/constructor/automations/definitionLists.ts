import { withNewTest } from '../conditions/conditionRows.ts'
import type { Definition, DefinitionList } from '../forms/definitions.ts'

/** How the automations or the deadlines of a case type are listed and edited. */
export interface DefinitionKind<L extends DefinitionList> {
  list: L
  title: string
  /** What one of them is called: 'automation'. */
  noun: string
  /** Most of them; their meta-schema has the same limit. */
  max: number
  /** Says what they are for while there is none. */
  hint: string
  /** What to think of when one is named, and an example. */
  naming: { hint: string; example: string; maxLength: number }
  /** A new one with this name and label. */
  initial: (name: string, label: string) => Definition<L>
}

export const AUTOMATIONS: DefinitionKind<'automations'> = {
  list: 'automations',
  title: 'Automations',
  noun: 'automation',
  max: 50,
  hint: 'An automation says what follows from the facts of a record: an alert, a notice, a step or a hold.',
  naming: {
    hint: 'Everybody who sees the client reads its name, so it says no more than they may know.',
    example: 'Open safeguarding concern',
    maxLength: 200,
  },
  initial: (name, label) => ({
    name,
    label,
    of: 'issue',
    when: withNewTest(),
    then: [{ alert: label, level: 'warning' }],
  }),
}

export const DEADLINES: DefinitionKind<'deadlines'> = {
  list: 'deadlines',
  title: 'Deadlines',
  noun: 'deadline',
  max: 30,
  hint: 'A deadline says what is due on a record, when, and what meets it.',
  naming: {
    hint: 'It stands in lists of work as “… due”.',
    example: 'First contact',
    maxLength: 100,
  },
  initial: (name, label) => ({
    name,
    label,
    of: 'issue',
    from: 'record.start_date',
    within: { working_days: 2 },
  }),
}

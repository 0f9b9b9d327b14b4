import type { Automation, Deadline } from '../../contract/generated.ts'
import { withNewTest } from '../conditions/conditionRows.ts'

/** How automations and deadlines are edited. */
export const AUTOMATIONS = {
  list: 'automations' as const,
  noun: 'Automation',
  maxLabel: 200,
  initial: (name: string, label: string): Automation => ({
    name,
    label,
    of: 'issue',
    when: withNewTest(),
    then: [{ alert: label, level: 'warning' }],
  }),
}
export const DEADLINES = {
  list: 'deadlines' as const,
  noun: 'Deadline',
  maxLabel: 100,
  initial: (name: string, label: string): Deadline => ({
    name,
    label,
    of: 'issue',
    from: 'record.start_date',
    within: { working_days: 2 },
  }),
}

/** Most of each kind; schemas/meta/automations.json and deadlines.json have the same limits. */
export const AUTOMATION_LIST = {
  list: 'automations' as const,
  title: 'Automations',
  noun: 'automation',
  max: 50,
  hint: 'An automation says what follows from the facts of a record: an alert, a notice, a step or a hold.',
  naming: {
    hint: 'Everybody who sees the client reads its name, so it says no more than they may know.',
    example: 'Open safeguarding concern',
    maxLength: 200,
  },
}
export const DEADLINE_LIST = {
  list: 'deadlines' as const,
  title: 'Deadlines',
  noun: 'deadline',
  max: 30,
  hint: 'A deadline says what is due on a record, when, and what meets it.',
  naming: {
    hint: 'It stands in lists of work as “… due”.',
    example: 'First contact',
    maxLength: 100,
  },
}

import type { ItemLabel } from '../describeAnswer.ts'
import type { Deadline, Span } from '../generated.ts'
import { describeCondition } from '../meta/describeCondition.ts'
import { fieldsByName } from '../meta/places.ts'
import { pluralise } from '../pluralise.ts'
import { joinWords } from '../quoted.ts'
import { type PathReach, pathWords } from './deadlinePaths.ts'

const NOUNS: Record<keyof Span, string> = {
  days: 'day',
  weeks: 'week',
  months: 'month',
  working_days: 'working day',
}

/**
 * A deadline as sentences: "Due 2 working days after the start date, once on every issue. Met by Telephone call – client
 * or Visit – client."
 */
export function describeDeadline(
  deadline: Deadline,
  reach: Omit<PathReach, 'of'>,
  itemLabel?: ItemLabel,
): string {
  const within = { ...reach, of: deadline.of }
  const path = (one: string) => pathWords(one, within)
  const { until, warn, when, met_by, paused } = deadline
  const form = fieldsByName(deadline.of === 'case' ? reach.metas.case_meta : reach.metas.issue_meta)
  const met = [
    ...(met_by?.actions ?? []).map((type) => itemLabel?.('action_type', type) ?? `action type ${type}`),
    ...(met_by?.field ? [path(met_by.field)] : []),
  ]
  return [
    `Due ${dueWords(deadline, path)}${until ? `, until ${path(until)}` : ''}.`,
    met.length > 0 ? `Met by ${joinWords(met, 'or')}.` : 'Nothing meets it.',
    warn && `Due soon from ${spanWords(warn, path)} before.`,
    when && `Only while ${describeCondition(when, form, itemLabel)}.`,
    paused && `Stands still while ${describeCondition(paused.when, form, itemLabel)}.`,
    deadline.is_on === false && 'Switched off.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** A span in words: '2 working days', or "as many weeks as 'Visit every (weeks)' says". */
export function spanWords(span: Span, path: (path: string) => string): string {
  const [unit, amount] = Object.entries(span)[0] ?? ['days', 0]
  const noun = NOUNS[unit as keyof Span]
  return typeof amount === 'string'
    ? `as many ${noun}s as ${path(amount)} says`
    : pluralise(amount ?? 0, noun)
}

function dueWords({ of, at, from, within, every }: Deadline, path: (path: string) => string): string {
  const day = (one: string | undefined) => (one ? path(one) : 'a day that is still to be chosen')
  if (at) return `on ${day(at)} of every ${of}`
  if (every)
    return `on every ${of} ${spanWords(every, path)} after the one before, at first after ${day(from)}`
  return `${within ? spanWords(within, path) : 'some time'} after ${day(from)}, once on every ${of}`
}

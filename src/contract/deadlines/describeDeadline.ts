import type { ItemLabel } from '../describeAnswer.ts'
import type { Deadline, Span } from '../generated.ts'
import { describeCondition } from '../meta/describeCondition.ts'
import { recordFields } from '../meta/recordFields.ts'
import { pluralise } from '../pluralise.ts'
import { capitalised, joinWords } from '../quoted.ts'
import { type PathReach, pathWords } from './deadlinePaths.ts'

/** The forms and the entities that the paths of deadlines lead into. */
export type DeadlineReach = Omit<PathReach, 'of'>

export const NOUNS: Record<keyof Span, string> = {
  days: 'day',
  weeks: 'week',
  months: 'month',
  working_days: 'working day',
}

/**
 * A deadline as sentences: "Due 2 working days after the start date, once on every issue. Met by Telephone call – client
 * or Visit – client."
 */
export function describeDeadline(deadline: Deadline, reach: DeadlineReach, itemLabel?: ItemLabel): string {
  const within = { ...reach, of: deadline.of }
  const path = (one: string) => pathWords(one, within)
  const { until, warn, when, met_by, paused } = deadline
  const fields = recordFields(deadline.of, reach.metas)
  const met = [
    ...(met_by?.actions ?? []).map((type) => itemLabel?.('action_type', type) ?? `action type ${type}`),
    ...(met_by?.field ? [path(met_by.field)] : []),
  ]
  return [
    `Due ${dueWords(deadline, path)}${until ? `, until ${path(until)}` : ''}.`,
    met.length > 0 ? `Met by ${joinWords(met, 'or')}.` : 'Nothing meets it.',
    warn && `Due soon from ${spanWords(warn, path)} before.`,
    when && `Only while ${describeCondition(when, fields, itemLabel)}.`,
    paused && `Paused while ${describeCondition(paused.when, fields, itemLabel)}.`,
    deadline.is_on === false && 'Switched off.',
  ]
    .filter(Boolean)
    .join(' ')
}

/** When a deadline is due, in few words: "2 working days after the start date". */
export function shortDeadline(deadline: Deadline, reach: DeadlineReach): string {
  const { at, from, within, every } = deadline
  const path = (one: string) => pathWords(one, { ...reach, of: deadline.of })
  if (at) return `On ${path(at)}`
  const [amount] = Object.values(every ?? within ?? {})
  if (typeof amount === 'string') return `As ${path(amount)} says`
  if (every) return `Every ${spanWords(every, path)}`
  return within && from ? capitalised(`${spanWords(within, path)} after ${path(from)}`) : ''
}

/** A span in words: '2 working days', or "as many weeks as 'Visit every (weeks)' says". */
function spanWords(span: Span, path: (path: string) => string): string {
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

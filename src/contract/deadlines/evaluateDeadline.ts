import { addDays } from '../days.ts'
import type { Deadline } from '../generated.ts'
import { type ConditionContext, holds } from '../when.ts'
import { addWorkingDays, type Holidays } from '../workingDays.ts'
import { type Pause, pausedDays, pausedSince } from './pauses.ts'
import { addLength, dayAt, type Length, lengthOf } from './spans.ts'

/** An action on the record, on the day on which it was done. */
export interface Entry {
  id: number
  day: string
  action_type: number
}

/** One time that something is due. */
export interface Period {
  /** The day from which it is counted. */
  from: string
  due: string
  warnFrom: string
  /** Days by which pauses moved `due`: working days if it is counted in these. */
  pausedDays: number
  /** Set while it is paused: its state is that of this day. */
  pausedSince?: string
  /** After this day it can no longer be met, because it is past 'until' or the record is closed. */
  endsOn?: string
}

/** A period that was met, or that somebody excused. */
export interface EndedPeriod extends Period {
  metOn?: string
  /** Id of the action, or path of the field, that met it. */
  by?: number | string
  excusedOn?: string
  /** Version of the case type under which it was met or excused. */
  version: number
}

/** What a deadline of one record is computed from. */
export interface DeadlineFacts {
  /** Its answers, its columns under `record`, and the columns and answers of the case under `with.case`. */
  context: ConditionContext
  /** The actions on the record by day and id, without those entered in error. */
  entries: Entry[]
  pauses: Pause[]
  /** The day on which the record was closed; undefined while it is open. */
  closedOn?: string
  holidays: Holidays
  /** The version of the case type. */
  version: number
  /** What was met or excused before, in its order. */
  ended: EndedPeriod[]
}

/** The deadline of a record over time: what was met or excused, in its order, and what is due now. */
export interface DeadlineHistory {
  ended: EndedPeriod[]
  current: Period | undefined
}

/**
 * Computes a deadline of one record; today's date makes no difference to it (see deadlineState.ts).
 *
 * The first action of a type in `met_by` on or after the day from which it is counted meets the period, also early. With
 * `every` the next one is counted from that day, and begins with actions of the day after, so that two visits on one day
 * meet one period. A field meets it on the day in that field, whenever that is. Actions after 'until' or after the record
 * was closed meet nothing, and no period is due after these; one that was due before and missed stays, unless nothing could
 * have met it.
 *
 * A period that was met before on the same day stays as it was computed then. One met under an earlier version stays as
 * long as what met it is there. Excused ones stay; with `every` the next one is counted from the day on which it was due
 * or excused, whichever is later.
 */
export function evaluateDeadline(deadline: Deadline, facts: DeadlineFacts): DeadlineHistory {
  const ended = keptPeriods(deadline, facts)
  if (deadline.is_on === false) return { ended, current: undefined }
  const isDue = holds(deadline.when, facts.context)
  const { until, closedOn } = endOf(deadline, facts)
  for (;;) {
    const start = startOf(deadline, facts, ended)
    if (!start) return { ended, current: undefined }
    const before = facts.ended[ended.length]
    if (before?.excusedOn !== undefined) {
      ended.push(before)
      continue
    }
    const met = whatMeets(deadline, facts, start.countsFrom, earliest(until, closedOn))
    const period = periodFrom(deadline, facts, start.from, met?.metOn)
    if (!period) return { ended, current: undefined }
    if (!met) {
      // What is due on the day of closing was not missed.
      const endsOn = earliest(until, closedOn && addDays(closedOn, -1))
      const isOver =
        (endsOn !== undefined && period.due > endsOn) || (closedOn !== undefined && !deadline.met_by)
      return {
        ended,
        current: isOver || !isDue ? undefined : { ...period, ...(endsOn !== undefined && { endsOn }) },
      }
    }
    const isSame = before?.from === start.from && before.metOn === met.metOn
    ended.push(isSame ? { ...before, by: met.by } : { ...period, ...met, version: facts.version })
  }
}

/**
 * Periods that were met or excused under other versions of the case type, up to the first that is no longer met; while
 * the deadline is switched off, also those of this version.
 */
function keptPeriods(deadline: Deadline, facts: DeadlineFacts): EndedPeriod[] {
  const isOff = deadline.is_on === false
  const firstAgain = facts.ended.findIndex(
    (period) => (!isOff && period.version === facts.version) || !isStillMet(deadline, facts, period),
  )
  return firstAgain < 0 ? [...facts.ended] : facts.ended.slice(0, firstAgain)
}

function isStillMet({ met_by }: Deadline, { entries, context }: DeadlineFacts, period: EndedPeriod): boolean {
  const { by, metOn, excusedOn } = period
  if (excusedOn !== undefined) return true
  if (typeof by === 'number') return entries.some(({ id, day }) => id === by && day === metOn)
  return met_by?.field !== by || dayAt(by, context) === metOn
}

/** The day from which the next period is counted, and the first day of actions that count; undefined if none follows. */
function startOf(deadline: Deadline, { context }: DeadlineFacts, ended: EndedPeriod[]) {
  const last = ended.at(-1)
  if (!last) {
    const from = dayAt(deadline.at ?? deadline.from, context)
    const countsFrom = deadline.at ? (dayAt(deadline.from, context) ?? '') : (from ?? '')
    return from === undefined ? undefined : { from, countsFrom }
  }
  if (!deadline.every) return undefined
  if (last.metOn !== undefined) return { from: last.metOn, countsFrom: addDays(last.metOn, 1) }
  const excusedOn = last.excusedOn!
  return { from: excusedOn > last.due ? excusedOn : last.due, countsFrom: excusedOn }
}

/** The last day on which it can be due, and the day on which the record was closed. */
function endOf({ until }: Deadline, { context, closedOn }: DeadlineFacts) {
  return { until: dayAt(until, context), closedOn }
}

/** What meets a period first. */
function whatMeets(
  { met_by, every }: Deadline,
  { entries, context }: DeadlineFacts,
  countsFrom: string,
  lastDay: string | undefined,
): { metOn: string; by: number | string } | undefined {
  const types = met_by?.actions ?? []
  const entry = entries.find(
    ({ day, action_type }) =>
      day >= countsFrom && (lastDay === undefined || day <= lastDay) && types.includes(action_type),
  )
  // A field has one day, which cannot meet period after period.
  const day = every ? undefined : dayAt(met_by?.field, context)
  if (day !== undefined && (!entry || day < entry.day)) return { metOn: day, by: met_by!.field! }
  return entry && { metOn: entry.day, by: entry.id }
}

/** The period that is counted from a day, with its pauses until it was met; undefined while its length is unknown. */
function periodFrom(
  { at, within, every, warn }: Deadline,
  { context, pauses, holidays }: DeadlineFacts,
  from: string,
  metOn: string | undefined,
): Period | undefined {
  const length: Length | undefined = at ? { unit: 'days', count: 0 } : lengthOf(within ?? every, context)
  // A period without days would never come to an end.
  if (!length || (every && length.count === 0)) return undefined
  const paused = pausedDays(pauses, { after: from, until: metOn }, length.unit, holidays)
  const due = moved(addLength(from, length, holidays), paused, length, holidays)
  const warning = lengthOf(warn, context)
  const since = metOn === undefined ? pausedSince(pauses, from) : undefined
  return {
    from,
    due,
    warnFrom: warning ? addLength(due, warning, holidays, -1) : due,
    pausedDays: paused,
    ...(since !== undefined && { pausedSince: since }),
  }
}

function moved(due: string, days: number, { unit }: Length, holidays: Holidays): string {
  return unit === 'working_days' ? addWorkingDays(due, days, holidays) : addDays(due, days)
}

function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

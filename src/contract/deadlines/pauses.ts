import { daysBetween } from '../days.ts'
import { type Holidays, workingDaysBetween } from '../workingDays.ts'
import type { Unit } from './spans.ts'

/** A time during which a deadline was paused: the days after `from`, up to and including `to`; open without `to`. */
export interface Pause {
  from: string
  to?: string
}

/** The pauses after an evaluation on a day: a pause begins or ends if the condition changed. */
export function nextPauses(pauses: Pause[], isPaused: boolean, today: string): Pause[] {
  const last = pauses.at(-1)
  const isOpen = last !== undefined && last.to === undefined
  if (isPaused) return isOpen ? pauses : [...pauses, { from: today }]
  if (!isOpen) return pauses
  // A pause that ends on its first day does not count.
  return last.from >= today ? pauses.slice(0, -1) : [...pauses.slice(0, -1), { from: last.from, to: today }]
}

/** The days of pauses after one day and up to another, in working days if that is the unit. */
export function pausedDays(
  pauses: Pause[],
  stretch: { after: string; until?: string },
  unit: Unit,
  holidays: Holidays,
): number {
  let days = 0
  for (const pause of pauses) {
    const from = later(pause.from, stretch.after)
    const to = earlier(pause.to, stretch.until)
    // An open pause counts only once it has ended.
    if (to === undefined || to <= from) continue
    days += unit === 'working_days' ? workingDaysBetween(from, to, holidays) : daysBetween(from, to)
  }
  return days
}

/** The day since which a deadline that began on a day is paused; undefined if it is not. */
export function pausedSince(pauses: Pause[], after: string): string | undefined {
  const last = pauses.at(-1)
  return last && last.to === undefined ? later(last.from, after) : undefined
}

function later(one: string, other: string): string {
  return one > other ? one : other
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one < other ? one : other
}

import { addDays, addMonths, isRealDay } from '../days.ts'
import type { Span } from '../generated.ts'
import { asNumber, type ConditionContext, valueAt } from '../when.ts'
import { addWorkingDays, type Holidays } from '../workingDays.ts'

export type Unit = keyof Span
/** A span whose number is known. */
export interface Length {
  unit: Unit
  count: number
}

/** Longest span in any unit; schemas/meta/deadlines.json has the same limit for literal numbers. */
export const MAX_SPAN = 3660

/** The day at a path; undefined if there is none. */
export function dayAt(path: string | undefined, context: ConditionContext): string | undefined {
  const value = path === undefined ? undefined : valueAt(path, context)
  return typeof value === 'string' && isRealDay(value) ? value : undefined
}

/** The length of a span; undefined while its number is missing or no whole number from 0 to 3660. */
export function lengthOf(span: Span | undefined, context: ConditionContext): Length | undefined {
  const [unit, amount] = Object.entries(span ?? {})[0] ?? []
  if (unit === undefined) return undefined
  const count = asNumber(typeof amount === 'string' ? valueAt(amount, context) : amount)
  if (!Number.isInteger(count) || (count as number) < 0 || (count as number) > MAX_SPAN) return undefined
  return { unit: unit as Unit, count: count as number }
}

/** The day a length after another, or before it by `sign`. */
export function addLength(
  day: string,
  { unit, count }: Length,
  holidays: Holidays,
  sign: 1 | -1 = 1,
): string {
  const by = sign * count
  if (unit === 'working_days') return addWorkingDays(day, by, holidays)
  if (unit === 'months') return addMonths(day, by)
  return addDays(day, unit === 'weeks' ? by * 7 : by)
}

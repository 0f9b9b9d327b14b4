import Big from 'big.js'
import { format, isValid, parseISO } from 'date-fns'
import { addMonths, isRealDay } from './days.ts'
import { integerOf } from './decimalArithmetic.ts'
import type { Operand } from './operand.ts'
import { addWorkingDays, type Holidays } from './workingDays.ts'

/** Parses YYYY-MM-DD to midnight in local time; undefined for anything else. */
export function dayOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const day = parseISO(value)
  return isValid(day) ? day : undefined
}

export function onDays<T>(from: Operand, to: Operand, how: (a: Date, b: Date) => T): T | undefined {
  const [a, b] = [dayOf(from.value), dayOf(to.value)]
  return a && b && how(a, b)
}

/** Full months from one day to another, negative to an earlier one; from 31 January to 28 February it is one. */
export function monthsBetween(from: unknown, to: unknown): Big | undefined {
  if (!isRealDay(String(from)) || !isRealDay(String(to))) return undefined
  const [earlier, later] = [String(from), String(to)].toSorted()
  const [[year, month], [lastYear, lastMonth]] = [earlier, later].map((day) => day.split('-').map(Number))
  const months = (lastYear - year) * 12 + lastMonth - month
  const full = addMonths(earlier, months) <= later ? months : months - 1
  return new Big(from === later && full > 0 ? -full : full)
}

const MAX_DAYS = 100_000

export function later(
  from: Operand,
  by: Operand,
  how: (day: Date, days: number) => Date,
): string | undefined {
  const [day, days] = [dayOf(from.value), integerOf(by.value)]
  if (!day || days === undefined || Math.abs(days) > MAX_DAYS) return undefined
  const result = how(day, days)
  return result.getFullYear() > 0 && result.getFullYear() < 10000 ? format(result, 'yyyy-MM-dd') : undefined
}

/** A working day after or before a date by a calendar; undefined outside of the years 1 to 9999. */
export function laterWorkingDay(from: Operand, by: Operand, holidays: Holidays): string | undefined {
  const days = integerOf(by.value)
  if (!dayOf(from.value) || days === undefined || Math.abs(days) > MAX_DAYS) return undefined
  const day = from.value as string
  const year = Number(day.slice(0, 4)) + days / FEWEST_WORKING_DAYS
  return year >= 1 && year < 9999 ? addWorkingDays(day, days, holidays) : undefined
}

/** Fewest working days of a year, with room for its bank holidays. */
const FEWEST_WORKING_DAYS = 200

import { sql } from 'kysely'
import type { Entity } from '../../contract/generated.ts'
import { ROLE } from '../../contract/roles.ts'
import type { Call } from '../call.ts'
import type { Row, Sql } from '../db.ts'
import { fieldProblem } from '../problems.ts'
import type { Period } from '../report.ts'
import { today } from '../today.ts'

/** Counts up to this many could reveal who it is about. */
export const SMALL = 5
const SECONDS_AN_HOUR = 3600

/** The periods on offer: whole calendar months that are over in this month, counted from 0. */
const PERIODS: Record<string, (year: number, month: number) => Period> = {
  last12: (year, month) => ({ start: firstDay(year, month - 12), end: lastDay(year, month - 1) }),
  quarter: (year, month) => {
    const first = month - (month % 3) - 3
    return { start: firstDay(year, first), end: lastDay(year, first + 2) }
  },
  year: (year) => ({ start: firstDay(year - 1, 0), end: lastDay(year - 1, 11) }),
  financialYear: (year, month) => {
    const began = month >= 3 ? year - 1 : year - 2
    return { start: firstDay(began, 3), end: lastDay(began + 1, 2) }
  },
}

/** The whole months that the request names. */
export function monthsOf({ query, settings }: Call): Period {
  const name = String(query.period ?? 'last12')
  if (!Object.hasOwn(PERIODS, name))
    throw fieldProblem({ period: [`must be one of ${Object.keys(PERIODS).join(', ')}`] })
  const [year, month] = today(settings.TIME_ZONE).split('-').map(Number)
  return PERIODS[name](year, month - 1)
}

/** Whether the caller gets numbers of rows that they may not read. */
export function isProtected({ endpoint, me }: Call): boolean {
  const isCommissioner = me.groups.includes(ROLE.commissionerAdvocate)
  const readsAll = me.readsContracts || me.groups.includes(ROLE.systemAdministrator)
  return endpoint.protect === true && isCommissioner && !readsAll
}

/**
 * The rows that figures are of: those that the caller may see or, where they are protected, the other rows of the
 * caller's contracts. Counted together, a rounded number less the rows that somebody can count would say how many the
 * others are.
 */
export function protectedScope(call: Call, visible: Sql): Sql {
  if (!isProtected(call)) return visible
  return sql`(r.contract = any(${call.me.contracts}::int[]) and (${visible}) is not true)`
}

/**
 * Numbers without small counts: counts from 1 to 5 become '5 or fewer', others are rounded to 5. So is the total, from
 * its true number, so that no difference of two figures is about one person. Of few rows or people every other number
 * is null.
 */
export function protectSmall({ facts, properties }: Entity, numbers: Row): Row {
  const { measures } = facts!
  const counts = Object.keys(measures).filter((name) => isOfAll(measures[name]))
  const isFew = counts.some((name) => isSmall(Number(numbers[name])))
  const protectedNumber = (name: string, value: unknown) => {
    const { count, distinct, sum, average } = measures[name]
    if (count || distinct) return protectCount(Number(value))
    if (isFew) return null
    if (average) return value
    const isTime = properties[sum!].fieldType === 'duration'
    return isTime ? rounded(Number(value), SMALL * SECONDS_AN_HOUR) : protectCount(Number(value))
  }
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, protectedNumber(name, value)]),
  )
}

/** Counts of all rows of a group, or of all that are in them, say how many people its numbers are of. */
function isOfAll({ count, distinct, where }: NonNullable<Entity['facts']>['measures'][string]): boolean {
  return (count === true || distinct !== undefined) && where === undefined
}

/** The first day of a month, which may lie before January or after December of the year. */
function firstDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month, 1)).toISOString().slice(0, 10)
}

function lastDay(year: number, month: number): string {
  return new Date(Date.UTC(year, month + 1, 0)).toISOString().slice(0, 10)
}

function protectCount(n: number): number | string {
  return isSmall(n) ? `${SMALL} or fewer` : rounded(n, SMALL)
}

function isSmall(n: number): boolean {
  return n > 0 && n <= SMALL
}

function rounded(n: number, to: number): number {
  return Math.round(n / to) * to
}

import { sql } from 'kysely'
import { countsSeconds } from '../../../contract/fieldTypes.ts'
import type { Entity } from '../../../contract/generated.ts'
import { ROLE } from '../../../contract/roles.ts'
import type { Call } from '../../core/call.ts'
import type { Row, Sql } from '../../core/db.ts'
import { fieldProblem } from '../../core/problems.ts'
import { type Period, today } from '../../core/today.ts'

/** Largest count that is hidden, because it could identify a person. */
export const SMALL = 5
const SECONDS_AN_HOUR = 3600

/** The available periods: whole months that have ended before a month, which counts from 0. */
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

/** The period of the request, in whole months. */
export function monthsOf({ query, settings }: Call): Period {
  const name = String(query.period ?? 'last12')
  if (!Object.hasOwn(PERIODS, name))
    throw fieldProblem({ period: [`must be one of ${Object.keys(PERIODS).join(', ')}`] })
  const [year, month] = today(settings.TIME_ZONE).split('-').map(Number)
  return PERIODS[name](year, month - 1)
}

/** True if the caller gets numbers of rows that they may not read. */
export function isProtected({ endpoint, me }: Call): boolean {
  const isCommissioner = me.groups.includes(ROLE.commissionerAdvocate)
  const readsAll = me.readsContracts || me.groups.includes(ROLE.systemAdministrator)
  return endpoint.protect === true && isCommissioner && !readsAll
}

/**
 * The condition for the rows of figures: those that the caller may see or, for protected figures, the other rows of the
 * caller's contracts. If both were counted together, the caller could subtract the visible rows from a rounded number.
 */
export function protectedScope(call: Call, visible: Sql): Sql {
  if (!isProtected(call)) return visible
  return sql`(r.contract = any(${call.me.contracts}::int[]) and (${visible}) is not true)`
}

/**
 * Hides small numbers: counts up to SMALL, including 0, become '5 or fewer', and others are rounded to multiples of it.
 * The total is rounded from its true number, so that no difference of figures is about one person. Of few rows or
 * people (`isFew`) every other number is null.
 */
export function protectSmall(entity: Entity, numbers: Row, isFew = isOfFew(entity, numbers)): Row {
  const { measures } = entity.facts!
  const protectedNumber = (name: string, value: unknown) => {
    const { count, distinct, sum, average } = measures[name]
    if (count || distinct) return protectCount(Number(value))
    if (isFew) return null
    if (average) return value
    const isTime = countsSeconds(entity.properties[sum!].fieldType)
    return isTime ? rounded(Number(value), SMALL * SECONDS_AN_HOUR) : protectCount(Number(value))
  }
  return Object.fromEntries(
    Object.entries(numbers).map(([name, value]) => [name, protectedNumber(name, value)]),
  )
}

/**
 * The same for the total of groups. Otherwise people could subtract the sums of the groups from it and learn that of a
 * hidden group, or learn the share of a hidden group from that of all.
 */
export function protectTotal(entity: Entity, total: Row, groups: { numbers: Row }[]): Row {
  const isFew = [total, ...groups.map(({ numbers }) => numbers)].some((numbers) => isOfFew(entity, numbers))
  const shares = Object.entries(entity.facts!.measures).filter(([, { share }]) => share)
  const hidden = shares.filter(([name]) => groups.some(({ numbers }) => numbers[name] === null))
  const numbers = { ...total, ...Object.fromEntries(hidden.map(([name]) => [name, null])) }
  return protectSmall(entity, numbers, isFew)
}

/** True if a group has so few rows or people that it could identify one of them. */
export function isOfFew({ facts }: Entity, numbers: Row): boolean {
  const { measures } = facts!
  return Object.keys(measures).some((name) => isOfAll(measures[name]) && isSmall(Number(numbers[name])))
}

/** True if a measure counts all rows of a group, or all distinct values in them. */
function isOfAll({ count, distinct, where }: NonNullable<Entity['facts']>['measures'][string]): boolean {
  return (count === true || distinct !== undefined) && where === undefined
}

/** The first day of a month, which may be below 0 or above 11 for another year. */
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
  return n <= SMALL
}

function rounded(n: number, to: number): number {
  return Math.round(n / to) * to
}

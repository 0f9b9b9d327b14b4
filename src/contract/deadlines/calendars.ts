import { isRealDay } from '../days.ts'
import type { Holidays } from '../workingDays.ts'

/** The calendars of bank holidays, and which one each council area has. */
export interface Calendars {
  /** Id of the calendar of council areas without one; null if the installation has none. */
  standard: number | null
  /** Ids of calendars by the ids of council areas. */
  areas: Record<string, number>
  /** Days (YYYY-MM-DD) by the ids of calendars. */
  days: Record<string, string[]>
}

const NONE: Holidays = new Set()
const known = new WeakMap<string[], Holidays>()

/** The id of the calendar of a council area; null if there is none. */
export function calendarOf({ standard, areas }: Calendars, area: unknown): number | null {
  return areas[String(area)] ?? standard
}

export function holidaysOf({ days }: Calendars, calendar: number | null): Holidays {
  const list = calendar === null ? undefined : days[calendar]
  if (!list) return NONE
  const holidays = known.get(list) ?? new Set(list.filter(isRealDay))
  known.set(list, holidays)
  return holidays
}

import type { Group } from '../generated.ts'
import { placesOf } from '../meta/places.ts'
import { type ConditionContext, getIn, isPlainObject, type Values } from '../when.ts'
import type { Holidays } from '../workingDays.ts'
import { type Calendars, calendarOf, holidaysOf } from './calendars.ts'

/** Name of the column of a case that decides on its calendar. */
export const AREA = 'council_area'

/** True if a calculation of a form looks at a calendar of bank holidays. */
export function usesCalendar(groups: Group[]): boolean {
  return placesOf(groups).some(({ field }) => field.attrs?.calendar === true)
}

/** The bank holidays of the council area of a case; undefined without calendars. */
export function holidaysOfCase(
  calendars: Calendars | null | undefined,
  caseValues: Values | undefined,
): Holidays | undefined {
  return calendars ? holidaysOf(calendars, calendarOf(calendars, caseValues?.[AREA])) : undefined
}

/**
 * The bank holidays for a form in the browser, from the calendars loaded with its case type; undefined without these.
 * The council area is that of the document, which is a case or has one, else that of the stored case.
 */
export function holidaysAround(document: Values, { with: around }: ConditionContext): Holidays | undefined {
  const calendars = getIn(around, ['caseType', 'calendars'])
  if (!isPlainObject(calendars)) return undefined
  const places = [document, document.case, getIn(around, ['case'])].filter(isPlainObject) as Values[]
  const own = places.find((values) => Object.hasOwn(values, AREA))
  return holidaysOfCase(calendars as unknown as Calendars, own)
}

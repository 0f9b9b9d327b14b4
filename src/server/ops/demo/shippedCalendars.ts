import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import { SETTINGS } from '../../core/settingsSchema.ts'
import { readData } from './data.ts'

interface ShippedLists {
  bank_holiday_calendar: { value: number; code: string }[]
  bank_holiday: { day: string; calendars: number[] }[]
}

/** The calendars of bank holidays of a new database, by which the tests of its case types are run. */
export function shippedCalendars(): Calendars {
  const lists = readData<ShippedLists>('lookups.json')
  const standard = lists.bank_holiday_calendar.find(({ code }) => code === SETTINGS.BANK_HOLIDAYS.default)
  const days = lists.bank_holiday_calendar.map(({ value }) => [
    value,
    lists.bank_holiday.filter(({ calendars }) => calendars.includes(value)).map(({ day }) => day),
  ])
  return { standard: standard?.value ?? null, areas: {}, days: Object.fromEntries(days) }
}

import { formatDay, monthInWords, weekdayOf } from './days.ts'

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface DateFormat {
  title: string
  write: (day: string) => string
}

/** How 'format_date' writes a date. */
export const DATE_FORMATS = {
  day: { title: '4 May 2026', write: formatDay },
  weekday: {
    title: 'Monday 4 May 2026',
    write: (day) => `${WEEKDAYS[weekdayOf(day) - 1]} ${formatDay(day)}`,
  },
  month: { title: 'May 2026', write: (day) => monthInWords(day.slice(0, 7)) ?? '' },
  year: { title: '2026', write: (day) => day.slice(0, 4) },
  numbers: { title: '04/05/2026', write: (day) => day.split('-').reverse().join('/') },
} satisfies Record<string, DateFormat>

export function isDateFormat(format: unknown): format is keyof typeof DATE_FORMATS {
  return typeof format === 'string' && Object.hasOwn(DATE_FORMATS, format)
}

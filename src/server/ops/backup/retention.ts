import { addDays, weekdayOf } from '../../../contract/days.ts'
import { today } from '../../core/today.ts'

/** How many backups of different days, weeks and months are retained. */
export const RETAINED = { daily: 7, weekly: 4, monthly: 12 }

/**
 * The backups to delete, by their times: all but the last ones of the latest seven days, four weeks and twelve months
 * that have a backup. Counting only such days keeps old backups when no new ones are made.
 */
export function expiredBackups(times: Date[], timeZone: string, retained = RETAINED): Date[] {
  const newestFirst = times.toSorted((a, b) => b.getTime() - a.getTime())
  const lastOfEach = (count: number, period: (day: string) => string) => {
    const last = new Map<string, Date>()
    for (const time of newestFirst) {
      const key = period(today(timeZone, time))
      if (!last.has(key)) last.set(key, time)
    }
    return [...last.values()].slice(0, count)
  }
  const keep = new Set([
    ...lastOfEach(retained.daily, (day) => day),
    ...lastOfEach(retained.weekly, mondayOf),
    ...lastOfEach(retained.monthly, (day) => day.slice(0, 'YYYY-MM'.length)),
  ])
  return newestFirst.filter((time) => !keep.has(time))
}

function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day))
}

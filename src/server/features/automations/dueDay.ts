import { addBusinessDays, addDays, formatISO, parseISO } from 'date-fns'
import type { Days } from '../../../contract/generated.ts'

/** The day (YYYY-MM-DD) a number of days or working days after another. */
export function dueDay(from: string, { days, working_days }: Days): string {
  const day = parseISO(from)
  const due = working_days === undefined ? addDays(day, days ?? 0) : addBusinessDays(day, working_days)
  return formatISO(due, { representation: 'date' })
}

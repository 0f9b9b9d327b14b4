import { addDays } from 'date-fns'
import type { Call } from '../../core/call.ts'
import { today } from '../../core/today.ts'

/** True if a day (YYYY-MM-DD) is OLD_CASE_DAYS or more ago. */
export function isOld({ settings }: Pick<Call, 'settings'>, day: string): boolean {
  const last = addDays(new Date(`${today(settings.TIME_ZONE)}T00:00:00Z`), -settings.OLD_CASE_DAYS)
  return day <= last.toISOString().slice(0, 10)
}

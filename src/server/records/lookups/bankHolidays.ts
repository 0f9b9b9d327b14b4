import { sql } from 'kysely'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import type { Db } from '../../core/db.ts'

/**
 * Reads the calendars of bank holidays; `code` is the calendar of council areas that name none (BANK_HOLIDAYS). The
 * item `turned` is read with the opposite status: as retired if it is offered, and the other way round.
 */
export async function readCalendars(
  db: Db,
  code: string,
  turned?: { list: string; id: number },
): Promise<Calendars> {
  const isOffered = turned
    ? sql`(l.active <> (l.kind = ${turned.list} and l.value = ${turned.id}))`
    : sql`l.active`
  const { rows } = await sql<Calendars>`select
    (select l.value from lookup l where l.kind = 'bank_holiday_calendar' and ${isOffered}
      and l.attrs ->> 'code' = ${code} order by l.value limit 1) as standard,
    (select coalesce(jsonb_object_agg(value, attrs -> 'bank_holidays'), '{}') from lookup
      where kind = 'council_area' and attrs ? 'bank_holidays') as areas,
    (select coalesce(jsonb_object_agg(calendar, days), '{}') from (
      select calendar, jsonb_agg(l.attrs -> 'day' order by l.attrs -> 'day') as days
      from lookup l, jsonb_array_elements_text(l.attrs -> 'calendars') calendar
      where l.kind = 'bank_holiday' and ${isOffered} and l.attrs ? 'day' group by calendar) found) as days`.execute(
    db,
  )
  return rows[0]
}

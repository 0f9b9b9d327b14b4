import { sql } from 'kysely'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import type { Db, Sql } from '../../core/db.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { type DeadlineRows, loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { type LoadedCase, loadCases } from './loadCases.ts'

/** Changed cases, loaded for their evaluation. */
export interface ChangedCases {
  cases: LoadedCase[]
  /** What is stored of their deadlines, and the calendars of bank holidays. */
  deadlines: DeadlineRows
  calendars: Calendars
  /** Ids of those of which states are stored without anything else happening. */
  quiet: Set<number>
  /** What cases were uploaded or published with, by their ids: their events share notices. */
  batches: Map<number, string>
  /** Number of changes that were taken; a case can have several, and one that is gone is not among the cases. */
  taken: number
}

/**
 * Takes the noted changes that a query finds, with the columns id and case, and loads their cases. Locks the clients
 * first, in the order of their ids, as the refresh of access rows does, so that neither can deadlock with the other, and
 * that what others have changed meanwhile is loaded. All in one round trip.
 */
export async function takeChanged(db: Db, changes: Sql, bankHolidays: string): Promise<ChangedCases> {
  const ids = sql`select n."case" from (${changes}) n`
  const [, cases, deadlines, calendars, { rows: taken }] = await Promise.all([
    sql`select from clients where id in (select k.client from (${changes}) n join cases k on k.id = n."case")
      order by id for no key update`.execute(db),
    loadCases(db, ids),
    loadDeadlines(db, ids),
    readCalendars(db, bankHolidays),
    sql<{
      case: number
      fires: boolean
      batch: string | null
    }>`delete from automation_changes where id in (select n.id from (${changes}) n)
      returning "case", fires, batch`.execute(db),
  ])
  const firing = new Set(taken.filter(({ fires }) => fires).map((one) => one.case))
  return {
    cases,
    deadlines,
    calendars,
    quiet: new Set(cases.map(({ id }) => id).filter((id) => !firing.has(id))),
    batches: new Map(taken.flatMap((one) => (one.batch === null ? [] : [[one.case, one.batch] as const]))),
    taken: taken.length,
  }
}

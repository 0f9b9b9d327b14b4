import { sql } from 'kysely'
import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import type { Db, Sql } from '../../core/db.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { type DeadlineRows, loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { type LoadedCase, loadCases } from './loadCases.ts'

/** The automations that fire events when their states begin: all, or those with these names. */
type Firing = 'all' | Set<string>

/** A noted change of a case; `automations` are the names of those that fire events, null for all. */
export interface NotedChange {
  case: number
  fires: boolean
  automations: string[] | null
}

/** Changed cases, loaded for their evaluation. */
export interface ChangedCases {
  cases: LoadedCase[]
  /** What is stored of their deadlines, and the calendars of bank holidays. */
  deadlines: DeadlineRows
  calendars: Calendars
  /** The automations that fire events, by the ids of cases; of the others, only the states are stored. */
  firing: Map<number, Firing>
  /** The keys of the uploads or publications of cases, by their ids: their events share notices. */
  batches: Map<number, string>
  /** Number of changes that were taken; a case can have several, and one that is gone is not among the cases. */
  taken: number
}

/**
 * Takes the noted changes that a query finds, with the columns id and case, and loads their cases. Locks the clients
 * first, in the order of their ids, as the refresh of access rows does, so that neither can deadlock with the other,
 * and that what others have changed meanwhile is loaded. All in one round trip.
 */
export async function takeChanged(db: Db, changes: Sql, bankHolidays: string): Promise<ChangedCases> {
  const ids = sql`select n."case" from (${changes}) n`
  const [, cases, deadlines, calendars, { rows: taken }] = await Promise.all([
    sql`select from clients where id in (select k.client from (${changes}) n join cases k on k.id = n."case")
      order by id for no key update`.execute(db),
    loadCases(db, ids),
    loadDeadlines(db, ids),
    readCalendars(db, bankHolidays),
    sql<
      NotedChange & { batch: string | null }
    >`delete from automation_changes where id in (select n.id from (${changes}) n)
      returning "case", fires, automations, batch`.execute(db),
  ])
  return {
    cases,
    deadlines,
    calendars,
    firing: firingOf(taken),
    batches: new Map(taken.flatMap((one) => (one.batch === null ? [] : [[one.case, one.batch] as const]))),
    taken: taken.length,
  }
}

/** The automations that fire events by several changes together, by the ids of their cases. */
export function firingOf(changes: NotedChange[]): Map<number, Firing> {
  const firing = new Map<number, Firing>()
  for (const { case: id, fires, automations } of changes) {
    const before = firing.get(id)
    if (!fires || before === 'all') continue
    firing.set(id, automations === null ? 'all' : new Set([...(before ?? []), ...automations]))
  }
  return firing
}

export function isFiring(firing: Map<number, Firing>, caseId: number, automation: string): boolean {
  const names = firing.get(caseId)
  return names === 'all' || names?.has(automation) === true
}

import { sql } from 'kysely'
import { type Calendars, calendarOf, holidaysOf } from '../../../contract/deadlines/calendars.ts'
import { deadlineState } from '../../../contract/deadlines/deadlineState.ts'
import type { Period } from '../../../contract/deadlines/evaluateDeadline.ts'
import type { Call } from '../../core/call.ts'
import type { Db, Sql } from '../../core/db.ts'
import { today } from '../../core/today.ts'
import { readCalendars } from '../../records/lookups/bankHolidays.ts'
import { OPEN_STATES } from '../deadlines/deadlineImpact.ts'
import { evaluateDeadlines } from '../deadlines/evaluateDeadlines.ts'
import { loadDeadlines } from '../deadlines/loadDeadlines.ts'
import { automatedTypes } from './automatedTypes.ts'
import { loadCases } from './loadCases.ts'

/** Lists whose items say which days are bank holidays, and where. */
const CALENDAR_LISTS = ['bank_holiday', 'bank_holiday_calendar', 'council_area']

/** Stands for all council areas without a calendar of their own. */
const NO_AREA = ''

/** The newest cases are evaluated; more would take longer than anybody waits. */
const MAX_CASES = 10_000
const BATCH = 500

/** What a change of a calendar does to the open deadlines of one label. */
export interface CalendarEffect {
  id: string
  /** In words: 'Visit: 12 come later, 2 turn late'. */
  label: string
  /** Number of deadlines that come earlier or later. */
  count: number
}

type Changing = Pick<Call, 'db' | 'settings'>

export function isCalendarList(list: string): boolean {
  return CALENDAR_LISTS.includes(list)
}

/**
 * Makes a change of lists and rolls it back. Returns its result, and what it would do to open deadlines: a line for
 * each label of those that would move.
 */
export async function calendarDryRun<T>(
  { db, settings }: Changing,
  change: () => Promise<T>,
): Promise<{ result: T; effects: CalendarEffect[] }> {
  const before = await readCalendars(db, settings.BANK_HOLIDAYS)
  await sql`savepoint dry_run`.execute(db)
  const result = await change()
  const after = await readCalendars(db, settings.BANK_HOLIDAYS)
  await sql`rollback to savepoint dry_run`.execute(db)
  return { result, effects: await effectsOf({ db, settings }, before, after) }
}

/** What retiring an item, or offering a retired one again, would do to open deadlines. */
export async function statusEffects(
  { db, settings }: Changing,
  list: string,
  id: number,
): Promise<CalendarEffect[]> {
  if (!isCalendarList(list)) return []
  const before = await readCalendars(db, settings.BANK_HOLIDAYS)
  const after = await readCalendars(db, settings.BANK_HOLIDAYS, { list, id })
  return effectsOf({ db, settings }, before, after)
}

/** What other calendars would do to the open deadlines of the newest cases that have some. */
async function effectsOf(
  { db, settings }: Changing,
  before: Calendars,
  calendars: Calendars,
): Promise<CalendarEffect[]> {
  const days = changedDays(before, calendars)
  if (days.length === 0) return []
  const { rows } = await sql<{ ids: number[]; all: number }>`with found as materialized (${countedOver(days)})
    select (select count(*)::int from found) as "all",
      array(select id from found order by id desc limit ${MAX_CASES}) as ids`.execute(db)
  const [{ ids, all }] = rows
  const shifts = new Map<string, Shift>()
  const day = today(settings.TIME_ZONE)
  for (let at = 0; at < ids.length; at += BATCH)
    await addShifts(db, ids.slice(at, at + BATCH), { day, calendars, shifts })
  const effects = [...shifts].map(([label, shift]) => effectOf(label, shift))
  if (effects.length === 0 || all <= ids.length) return effects
  const label = `Only the newest ${inWords(ids.length)} of ${inWords(all)} cases with such deadlines were looked at`
  return [...effects, { id: 'newest', label, count: 0 }]
}

/**
 * The days that only one of the calendars has as a bank holiday of some council area, also because the area was given
 * another calendar.
 */
function changedDays(before: Calendars, after: Calendars): string[] {
  const areas = new Set([NO_AREA, ...Object.keys(before.areas), ...Object.keys(after.areas)])
  const days = [...areas].flatMap((area) => {
    const [was, is] = [before, after].map((one) => holidaysOf(one, calendarOf(one, area)))
    return [...was, ...is].filter((day) => was.has(day) !== is.has(day))
  })
  return [...new Set(days)]
}

/**
 * The ids of cases with open deadlines that are counted in working days, over one of these days. Of a deadline with
 * pauses, any later day counts: a pause may have been after the day on which it was due, and moved it all the same.
 */
function countedOver(days: string[]): Sql {
  return sql`select distinct d."case" as id from deadlines d join case_types t on t.id = d.case_type
    where d.is_open and exists (select from unnest(${days}::date[]) changed
        where changed >= d.counted_from and (changed <= d.due or d.paused_days > 0))
      and jsonb_path_exists(t.deadlines, '$[*] ? (@.name == $name && exists(@.**.working_days))',
        jsonb_build_object('name', d.name))`
}

/** Numbers of open deadlines that come earlier or later; some of them turn late, some are late no longer. */
interface Shift {
  earlier: number
  later: number
  turnsLate: number
  noLongerLate: number
}

interface Shifting {
  day: string
  calendars: Calendars
  /** By the labels of the deadlines, which case types share. */
  shifts: Map<string, Shift>
}

async function addShifts(db: Db, ids: number[], { day, calendars, shifts }: Shifting): Promise<void> {
  const batch = sql`select unnest(${ids}::int[])`
  const cases = await loadCases(db, batch)
  const types = await automatedTypes(db, cases)
  const rows = await loadDeadlines(db, batch)
  const defined = cases.map((one) => ({ ...one, deadlines: types.get(one.type)?.deadlines ?? [] }))
  const { desired } = evaluateDeadlines({ today: day, rows, calendars }, defined).changes
  const isOpen = (row: Period) => OPEN_STATES.includes(deadlineState(row, day))
  const isLate = (row: Period) => deadlineState(row, day) === 'late'
  const open = new Map(rows.deadlines.filter(isOpen).map((row) => [keyOf(row), row]))
  for (const row of desired) {
    const was = open.get(keyOf(row))
    if (!was || was.due === row.due) continue
    const shift = shifts.get(row.label) ?? { earlier: 0, later: 0, turnsLate: 0, noLongerLate: 0 }
    shifts.set(row.label, shift)
    shift[row.due < was.due ? 'earlier' : 'later']++
    if (isLate(row) && !isLate(was)) shift.turnsLate++
    if (isLate(was) && !isLate(row)) shift.noLongerLate++
  }
}

function keyOf(row: { case: number; issue: number | null; name: string; seq: number }): string {
  return `${row.case}/${row.issue ?? ''}/${row.name}/${row.seq}`
}

function effectOf(label: string, { earlier, later, turnsLate, noLongerLate }: Shift): CalendarEffect {
  const parts = [
    counted(earlier, 'comes earlier', 'come earlier'),
    counted(later, 'comes later', 'come later'),
    counted(turnsLate, 'turns late', 'turn late'),
    counted(noLongerLate, 'is no longer late', 'are no longer late'),
  ]
  const words = parts.filter((part) => part !== undefined).join(', ')
  return { id: label, label: `${label}: ${words}`, count: earlier + later }
}

function counted(n: number, one: string, many: string): string | undefined {
  return n === 0 ? undefined : `${inWords(n)} ${n === 1 ? one : many}`
}

function inWords(n: number): string {
  return n.toLocaleString('en-GB')
}

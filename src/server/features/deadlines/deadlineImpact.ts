import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import { type DeadlineState, deadlineState } from '../../../contract/deadlines/deadlineState.ts'
import type { EndedPeriod, Period } from '../../../contract/deadlines/evaluateDeadline.ts'
import type { Deadline } from '../../../contract/generated.ts'
import { type CaseOfDeadlines, evaluateDeadlines, type StatesOfCase } from './evaluateDeadlines.ts'
import type { DeadlineRows } from './loadDeadlines.ts'

/** The states in which something is still to be done; one that was missed is over, without being met. */
export const OPEN_STATES: DeadlineState[] = ['due', 'soon', 'late']

/** How many records publishing a deadline would affect. */
export interface DeadlineImpact {
  name: string
  /** Records for which it would be open, and how many of these would be due soon or late today. */
  open: number
  soon: number
  late: number
  /** Of the open ones: those that have none open now, and those where it comes earlier or later than now. */
  added: number
  earlier: number
  later: number
  /** Records where it is open now and would be met, or no longer due. */
  met: number
  gone: number
  /** Records where it would be late today and is not late now. */
  turnsLate: number
  /** Records where any of this happens. */
  moved: number
}

/** The deadlines of a draft, and what they are evaluated with. */
export interface DraftedDeadlines {
  today: string
  calendars: Calendars
  deadlines: Deadline[]
  /** The version that the draft would become. */
  version: number
}

/** What publishing a deadline would do to a record. */
export interface DeadlineMove {
  name: string
  case: number
  issue: number | null
  /** When it is due now, and would be; null where nothing is open. */
  was: string | null
  due: string | null
  isMet: boolean
}

/**
 * Adds what the deadlines of a draft would do to cases to the impacts, by name, and returns the states of their
 * deadlines and what moves. What is met or excused already is frozen, so only open ones count.
 */
export function countDeadlines(
  { today, calendars, deadlines, version }: DraftedDeadlines,
  cases: Omit<CaseOfDeadlines, 'deadlines'>[],
  rows: DeadlineRows,
  impacts: Map<string, DeadlineImpact>,
): { states: Map<number, StatesOfCase>; moves: DeadlineMove[] } {
  const impactOf = (name: string) => {
    const impact = impacts.get(name) ?? noImpact(name)
    impacts.set(name, impact)
    return impact
  }
  for (const { name } of deadlines) impactOf(name)
  const drafted = cases.map((one) => ({ ...one, version, deadlines }))
  const { states, changes } = evaluateDeadlines({ today, rows, calendars }, drafted)
  const isOpen = (row: Period) => OPEN_STATES.includes(deadlineState(row, today))
  const open = new Map(rows.deadlines.filter(isOpen).map((row) => [keyOf(row), row]))
  const moves: DeadlineMove[] = []
  const addMove = (row: Key, move: Pick<DeadlineMove, 'was' | 'due' | 'isMet'>) => {
    impactOf(row.name).moved++
    moves.push({ name: row.name, case: row.case, issue: row.issue, ...move })
  }
  for (const row of changes.desired.filter(isOpen)) {
    const impact = impactOf(row.name)
    const was = open.get(keyOf(row))
    open.delete(keyOf(row))
    const state = deadlineState(row, today)
    impact.open++
    if (state === 'soon') impact.soon++
    if (state === 'late') impact.late++
    const turnsLate = state === 'late' && deadlineState(was, today) !== 'late'
    if (turnsLate) impact.turnsLate++
    if (!was) impact.added++
    else if (row.due > was.due) impact.later++
    else if (row.due < was.due) impact.earlier++
    if (row.due !== was?.due || turnsLate) addMove(row, { was: was?.due ?? null, due: row.due, isMet: false })
  }
  const met = new Set(changes.desired.filter(isFrozen).map(periodOf))
  for (const row of open.values()) {
    const isMet = met.has(periodOf(row))
    impactOf(row.name)[isMet ? 'met' : 'gone']++
    addMove(row, { was: row.due, due: null, isMet })
  }
  return { states, moves }
}

function noImpact(name: string): DeadlineImpact {
  const none = { open: 0, soon: 0, late: 0, added: 0, earlier: 0, later: 0, met: 0, gone: 0 }
  return { name, ...none, turnsLate: 0, moved: 0 }
}

function isFrozen({ metOn, excusedOn }: EndedPeriod): boolean {
  return metOn !== undefined || excusedOn !== undefined
}

interface Key {
  case: number
  issue: number | null
  name: string
  seq: number
}

/** A record has at most one open period of each deadline. */
function keyOf({ case: caseId, issue, name }: Key): string {
  return `${issue ?? `case ${caseId}`} ${name}`
}

function periodOf(row: Key): string {
  return `${keyOf(row)} ${row.seq}`
}

import type { Calendars } from '../../../contract/deadlines/calendars.ts'
import { type DeadlineState, deadlineState } from '../../../contract/deadlines/deadlineState.ts'
import type { EndedPeriod, Period } from '../../../contract/deadlines/evaluateDeadline.ts'
import type { Deadline } from '../../../contract/generated.ts'
import { type CaseOfDeadlines, evaluateDeadlines, type StatesOfCase } from './evaluateDeadlines.ts'
import type { DeadlineRows } from './loadDeadlines.ts'

/** The states in which something is still to be done; one that was missed is over, without being met. */
const OPEN_STATES: DeadlineState[] = ['due', 'soon', 'late']

/** What publishing a deadline would bring: numbers of records. */
export interface DeadlineImpact {
  name: string
  /** It would be open for so many, of which so many are due soon and late today. */
  open: number
  soon: number
  late: number
  /** Of these, so many have nothing open now, or come earlier or later than now. */
  added: number
  earlier: number
  later: number
  /** It is open now and would be met, or no longer due. */
  met: number
  gone: number
  /** It would be late today, and is not late now. */
  turnsLate: number
}

interface Context {
  today: string
  calendars: Calendars
  /** Those of the draft, and the version that it would become. */
  deadlines: Deadline[]
  version: number
}

/**
 * Adds what the deadlines of a draft would do to cases to the impacts, by name, and returns the states of their deadlines.
 * What is met or excused already is frozen, so only open ones count.
 */
export function countDeadlines(
  { today, calendars, deadlines, version }: Context,
  cases: Omit<CaseOfDeadlines, 'deadlines'>[],
  rows: DeadlineRows,
  impacts: Map<string, DeadlineImpact>,
): Map<number, StatesOfCase> {
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
  for (const row of changes.desired.filter(isOpen)) {
    const impact = impactOf(row.name)
    const was = open.get(keyOf(row))
    open.delete(keyOf(row))
    const state = deadlineState(row, today)
    impact.open++
    if (state === 'soon') impact.soon++
    if (state === 'late') impact.late++
    if (state === 'late' && deadlineState(was, today) !== 'late') impact.turnsLate++
    if (!was) impact.added++
    else if (row.due > was.due) impact.later++
    else if (row.due < was.due) impact.earlier++
  }
  const met = new Set(changes.desired.filter(isFrozen).map(periodOf))
  for (const row of open.values()) impactOf(row.name)[met.has(periodOf(row)) ? 'met' : 'gone']++
  return states
}

function noImpact(name: string): DeadlineImpact {
  return { name, open: 0, soon: 0, late: 0, added: 0, earlier: 0, later: 0, met: 0, gone: 0, turnsLate: 0 }
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

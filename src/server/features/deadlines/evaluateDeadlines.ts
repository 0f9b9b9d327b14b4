import { type Calendars, calendarOf, holidaysOf } from '../../../contract/deadlines/calendars.ts'
import {
  type DeadlineState,
  deadlineState,
  presentPeriod,
} from '../../../contract/deadlines/deadlineState.ts'
import {
  type DeadlineHistory,
  type EndedPeriod,
  evaluateDeadline,
  type Period,
} from '../../../contract/deadlines/evaluateDeadline.ts'
import { nextPauses, type Pause } from '../../../contract/deadlines/pauses.ts'
import type { Deadline } from '../../../contract/generated.ts'
import { STATUS } from '../../../contract/status.ts'
import { type ConditionContext, holds, type Values } from '../../../contract/when.ts'
import type { DeadlineRows } from './loadDeadlines.ts'
import type { DeadlineChanges, DesiredDeadline, DesiredPauses } from './storeDeadlines.ts'

/** A case with its issues, as they are stored, and the version and deadlines of its case type. */
export interface CaseOfDeadlines {
  id: number
  client: number
  type: number
  version: number
  caseRow: Values
  issues: Values[]
  deadlines: Deadline[]
}
interface Context {
  /** YYYY-MM-DD where the service works. */
  today: string
  rows: DeadlineRows
  calendars: Calendars
}

type DeadlineStates = Record<string, DeadlineState>

/** The key of a record in the states of a case: the id of an issue, or null for the case. */
export type StatesOfCase = Map<number | null, DeadlineStates>

/** The states of all deadlines by case and record, and what is to be stored. */
interface EvaluatedDeadlines {
  states: Map<number, StatesOfCase>
  changes: DeadlineChanges
}

export function evaluateDeadlines(
  { today, rows, calendars }: Context,
  cases: CaseOfDeadlines[],
): EvaluatedDeadlines {
  const states = new Map<number, StatesOfCase>()
  const desired: DesiredDeadline[] = []
  const pauses: DesiredPauses[] = []
  const byRecord = rowsByRecord(rows)
  for (const one of cases) {
    const ofCase: StatesOfCase = new Map()
    states.set(one.id, ofCase)
    for (const record of recordsOf(one)) {
      const stored = byRecord.get(recordKey({ case: one.id, issue: record.issue })) ?? NO_ROWS
      const ofRecord: DeadlineStates = {}
      ofCase.set(record.issue, ofRecord)
      for (const deadline of one.deadlines.filter(({ of }) => of === record.of)) {
        const evaluated = evaluateRecord({ record, deadline, rows: stored, calendars, today, one })
        desired.push(...evaluated.desired)
        if (evaluated.pauses) pauses.push(evaluated.pauses)
        ofRecord[deadline.name] = deadlineState(presentPeriod(deadline, evaluated.history), today)
      }
    }
  }
  return { states, changes: { desired, pauses, rows, definitions: cases } }
}

const NO_ROWS: DeadlineRows = { deadlines: [], pauses: [], entries: [] }

function recordKey({ case: caseId, issue }: { case: number; issue: number | null }): string {
  return issue === null ? `case ${caseId}` : `issue ${issue}`
}

/** The rows of each record. An issue is met by actions on it, a case by those on any of its issues too. */
function rowsByRecord({ deadlines, pauses, entries }: DeadlineRows): Map<string, DeadlineRows> {
  const found = new Map<string, DeadlineRows>()
  const rowsOf = (key: string) => {
    const rows = found.get(key) ?? { deadlines: [], pauses: [], entries: [] }
    found.set(key, rows)
    return rows
  }
  for (const row of deadlines) rowsOf(recordKey(row)).deadlines.push(row)
  for (const row of pauses) rowsOf(recordKey(row)).pauses.push(row)
  for (const row of entries) {
    rowsOf(recordKey({ case: row.case, issue: null })).entries.push(row)
    if (row.issue !== null) rowsOf(recordKey(row)).entries.push(row)
  }
  return found
}

interface EvaluatedRecord {
  of: Deadline['of']
  issue: number | null
  isActive: boolean
  closedOn: string | undefined
  context: ConditionContext
}

/** The case and its issues with what the paths of deadlines lead to. */
function recordsOf({ caseRow, issues }: CaseOfDeadlines): EvaluatedRecord[] {
  const caseValues = { ...(caseRow.answers as Values), ...caseRow }
  const isActive = caseRow.status === STATUS.active
  const closed = (day: unknown) => (typeof day === 'string' ? day : undefined)
  return [
    {
      of: 'case',
      issue: null,
      isActive,
      closedOn: closed(caseRow.close_date),
      context: { answers: caseRow.answers as Values, record: caseRow, with: { case: caseValues } },
    },
    ...issues.map(
      (record): EvaluatedRecord => ({
        of: 'issue',
        issue: record.id as number,
        isActive: isActive && record.status === STATUS.active,
        closedOn: record.is_opened ? undefined : closed(record.close_date),
        context: { answers: record.answers as Values, record, with: { case: caseValues } },
      }),
    ),
  ]
}

interface Evaluation {
  record: EvaluatedRecord
  deadline: Deadline
  /** The rows of the record. */
  rows: DeadlineRows
  calendars: Calendars
  today: string
  one: CaseOfDeadlines
}

/** Evaluates a deadline of a record: its rows, and its pauses if they have changed. */
function evaluateRecord({ record, deadline, rows, calendars, today, one }: Evaluation): {
  history: DeadlineHistory
  desired: DesiredDeadline[]
  pauses: DesiredPauses | undefined
} {
  const stored = rows.deadlines.filter(({ name }) => name === deadline.name)
  const calendar = calendarOf(calendars, one.caseRow.council_area)
  const before: Pause[] = rows.pauses
    .filter(({ name }) => name === deadline.name)
    .map(({ from, to }) => ({ from, ...(to !== undefined && { to }) }))
  const isRunning = record.isActive && record.closedOn === undefined && deadline.is_on !== false
  const isPaused = isRunning && deadline.paused !== undefined && holds(deadline.paused.when, record.context)
  const pauses = nextPauses(before, isPaused, today)
  const ended = stored.filter(({ metOn, excusedOn }) => metOn !== undefined || excusedOn !== undefined)
  const history = record.isActive
    ? evaluateDeadline(deadline, {
        context: record.context,
        entries: rows.entries,
        pauses,
        closedOn: record.closedOn,
        holidays: holidaysOf(calendars, calendar),
        version: one.version,
        ended,
      })
    : { ended, current: undefined }
  const periods: (Period | EndedPeriod)[] = [...history.ended, ...(history.current ? [history.current] : [])]
  const desired = periods.map((period, seq): DesiredDeadline => {
    const kept = stored.find((row) => row.seq === seq)
    const isKept = kept && isFrozen(kept) && kept.metOn === (period as EndedPeriod).metOn
    return {
      case_type: one.type,
      name: deadline.name,
      seq,
      client: one.client,
      case: one.id,
      issue: record.issue,
      label: isKept ? kept.label : deadline.label,
      title: isKept ? kept.title : titleOf(deadline),
      calendar: isKept ? kept.calendar : calendar,
      ...period,
      version: (period as EndedPeriod).version ?? one.version,
    }
  })
  return {
    history,
    desired,
    pauses:
      pauses === before ? undefined : { case: one.id, issue: record.issue, name: deadline.name, pauses },
  }
}

function isFrozen({ metOn, excusedOn }: EndedPeriod): boolean {
  return metOn !== undefined || excusedOn !== undefined
}

/**
 * The title in a list of work: 'Visit due', or for a day that was entered the label alone, such as 'Authorisation
 * ends'.
 */
function titleOf({ label, at }: Deadline): string {
  return at ? label : `${label} due`
}

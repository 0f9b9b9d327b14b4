import { STATUS } from '../../../contract/status.ts'
import type { Row } from '../../core/db.ts'
import type { DemoContext } from './context.ts'
import { dateOf, dayOf } from './days.ts'
import type { Lookups } from './lookups.ts'
import type { Random } from './random.ts'

const DESIRED = 0.5
const REACHED = 0.6

interface Outcomes extends Row {
  desired_outcomes: Row[]
  actual_outcomes: Row[]
  ndti_outcomes: Row[]
}

/** The desired outcomes of an issue and, if it is closed, its actual ones. */
export function outcomesOf(issue: Row, { work, casework, lookups }: DemoContext): Outcomes {
  const closed = issue.close_date === null ? undefined : dayOf(String(issue.close_date))
  const isReached = closed !== undefined && issue.status === STATUS.active && work.chance(REACHED)
  return {
    desired_outcomes: work.chance(DESIRED)
      ? [{ row: 'r1', details: work.pick(casework.desired), date: issue.start_date }]
      : [],
    actual_outcomes: isReached
      ? [{ row: 'r1', details: work.pick(casework.actual), date: dateOf(closed) }]
      : [],
    ndti_outcomes: isReached ? outcomeRows('ndti_outcome_type', closed, work, lookups) : [],
  }
}

/** One or two outcomes of a kind, on the same day. */
export function outcomeRows(kind: string, day: number, work: Random, lookups: Lookups): Row[] {
  const types = lookups(kind)
  if (types.length === 0) return []
  return work.some(types, 2).map(({ value }, i) => ({ row: `r${i + 1}`, type: value, date: dateOf(day) }))
}

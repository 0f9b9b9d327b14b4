import type { Row } from '../../core/db.ts'
import { writtenOn } from './actions.ts'
import type { DemoContext } from './context.ts'
import { dateOf } from './days.ts'
import { outcomeRows } from './outcomes.ts'

const QUARTER_SECONDS = 900
const WITH_OUTCOME = 0.1
// Number of activities in the last week, for its report; the others are before it.
const RECENT = 3
const WEEK = 6
const SEASON = 120

/** The activities of caseworkers and hub advisers, which belong to no case. */
export function activitiesOf(context: DemoContext): Row[] {
  const { work, lookups, staffing, today, casework } = context
  const types = lookups('activity_type')
  const groups = new Set(lookups('activity_service').map(({ value }) => value))
  return staffing.workers.flatMap(({ id, services }) => {
    const contracts = services.flatMap((service) => lookups('contracts', { service }))
    if (types.length === 0 || contracts.length === 0) return []
    return Array.from({ length: work.between(RECENT + 3, 14) }, (_, i) => {
      const day = today - (i < RECENT ? work.between(1, WEEK) : work.between(WEEK + 1, SEASON))
      const { value, attrs } = work.pick(contracts)
      const outcomes = (kind: string) =>
        work.chance(WITH_OUTCOME) ? outcomeRows(kind, day, work, lookups) : []
      return {
        type: work.pick(types).value,
        activity_service: groups.has(Number(attrs.service)) ? attrs.service : null,
        commissioning_contract: value,
        done_on: dateOf(day),
        time_taken: work.between(1, 12) * QUARTER_SECONDS,
        notes: work.pick(casework.activities),
        hnc_outcomes: outcomes('hnc_outcome_type'),
        comm_outcomes: outcomes('comm_outcome_type'),
        created_by: id,
        ...writtenOn(day, context),
      }
    })
  })
}

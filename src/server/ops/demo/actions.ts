import type { Row } from '../../core/db.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, dateOf, dayOf, timeOf } from './days.ts'
import { outcomeRows } from './outcomes.ts'

const MAX_ACTIONS = 8
const MAX_ARCHIVED_ACTIONS = 4
// Days of an issue for each possible action.
const DAYS_PER_ACTION = 25
const QUARTER_SECONDS = 900
const PLANNED = 0.3
const LAST_PLANNED = 0.6
// Open next steps of actions in the last RECENT_DAYS days are due in FROM_TODAY days, in turn; undefined: as planned.
const RECENT_DAYS = 90
const FROM_TODAY = [undefined, 0, 2, undefined, 5, 11]
const WITH_OUTCOME = 0.05

/** The actions on an issue, oldest first; a longer issue has more of them. `until` is the last possible day. */
export function actionsOf(
  issue: Row,
  client: unknown,
  until: number,
  archive: boolean,
  context: DemoContext,
): Row[] {
  const { work, ids, lookups } = context
  const types = lookups('action_type')
  if (types.length === 0) return []
  const began = dayOf(String(issue.start_date))
  const room = 1 + Math.floor((until - began) / DAYS_PER_ACTION)
  const most = Math.min(issue.advocate === null ? 1 : archive ? MAX_ARCHIVED_ACTIONS : MAX_ACTIONS, room)
  const days = Array.from({ length: work.between(0, most) }, () => work.between(began, until))
  days.sort((a, b) => a - b)
  return days.map((day, i) => ({
    id: ++ids.actions,
    client,
    case: issue.case,
    issue: issue.id,
    ...actionOf(day, context),
    ...planOf(day, days[i + 1], issue.is_opened === true, context),
    created_by: issue.advocate ?? issue.created_by,
    ...writtenOn(day, context),
  }))
}

/** The columns of an issue that triggers derive from its actions: the last contact, and the next step. */
export function contactOf(actions: Row[]): Row {
  const open = actions.filter(({ next_due, next_done_on }) => next_due !== null && next_done_on === null)
  const next = open.sort((a, b) => (String(a.next_due) < String(b.next_due) ? -1 : 1))[0]
  return {
    last_contact: actions.at(-1)?.done_on ?? null,
    next_step: next?.next_step ?? null,
    next_due: next?.next_due ?? null,
  }
}

function actionOf(day: number, { work, lookups, casework }: DemoContext): Row {
  const { value } = work.likely(lookups('action_type'))
  const outcomes = (kind: string) => (work.chance(WITH_OUTCOME) ? outcomeRows(kind, day, work, lookups) : [])
  return {
    type: value,
    done_on: dateOf(day),
    time_taken: work.between(1, 8) * QUARTER_SECONDS,
    notes: work.pick(casework.actions[value] ?? casework.actions.other),
    hnc_outcomes: outcomes('hnc_outcome_type'),
    comm_outcomes: outcomes('comm_outcome_type'),
  }
}

/** The next step of an action, done at the next action. Only the last one of an open issue is still open. */
function planOf(day: number, next: number | undefined, open: boolean, context: DemoContext): Row {
  const { work, casework, today, ids } = context
  const isLast = next === undefined
  if ((isLast && !open) || !work.chance(isLast ? LAST_PLANNED : PLANNED))
    return { next_step: null, next_due: null, next_done_on: null }
  const next_step = work.pick(casework.next_steps)
  const due = day + work.between(3, 28)
  const inDays = isLast && day > today - RECENT_DAYS ? FROM_TODAY[ids.actions % FROM_TODAY.length] : undefined
  return {
    next_step,
    next_due: dateOf(inDays === undefined ? due : today + inDays),
    next_done_on: isLast ? null : dateOf(next),
  }
}

/** The timestamps of a row that was created on a day and not changed since. */
export function writtenOn(day: number, { work }: Pick<DemoContext, 'work'>): Row {
  const at = timeOf(day, work.between(...AFTERNOON))
  return { created_at: at, updated_at: at }
}

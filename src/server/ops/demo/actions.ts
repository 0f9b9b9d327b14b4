import type { Row } from '../../core/db.ts'
import type { DemoContext } from './context.ts'
import { AFTERNOON, dateOf, dayOf, timeOf } from './days.ts'
import { outcomeRows } from './outcomes.ts'
import { seeded } from './random.ts'

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
const NO_PLAN = { next_step: null, next_due: null, next_done_on: null }
const WITH_OUTCOME = 0.05
// Every ninth issue has no contact of its own.
const CONTACTED = 9
// Ids of action_type: telephone call, visit, video call and meeting with the client.
const VISIT = 6
const CONTACTS = [1, 6, 7, 8]
const REPRESENTATION = 5
const VISITED = 26
// Most visits are due every 28 days.
const LATEST_VISIT = 34

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
  const written = (day: number, random: DemoContext, type?: number): Row => ({
    id: ++ids.actions,
    client,
    case: issue.case,
    issue: issue.id,
    ...actionOf(day, random, type),
    created_by: issue.advocate ?? issue.created_by,
  })
  const others = days.map(
    (day, i): Row => ({
      ...written(day, context),
      ...planOf(day, days[i + 1], issue.is_opened === true, context),
      ...writtenOn(day, context),
    }),
  )
  // Numbers of their own, so that other work stays the same.
  const own = { ...context, work: seeded(Number(issue.id)) }
  const contacts = contactDays(issue, began, until, context).map(
    (day): Row => ({
      ...written(day, own, contactType(issue, day, began)),
      ...NO_PLAN,
      ...writtenOn(day, own),
    }),
  )
  const dayOfAction = ({ done_on }: Row) => dayOf(String(done_on))
  return [...others, ...contacts].sort((a, b) => dayOfAction(a) - dayOfAction(b))
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

/**
 * The days on which the person was contacted by the deadlines of the case type, for most issues: soon after the start,
 * and on the visits of a representative, of which a few are late.
 */
function contactDays(
  { id, advocate, is_opened, service }: Row,
  began: number,
  until: number,
  { today }: DemoContext,
): number[] {
  const number = Number(id)
  if (advocate === null || number % CONTACTED === 0) return []
  const first = Math.min(began + (number % 3), until)
  if (service !== REPRESENTATION || !is_opened) return [first]
  const days = [first]
  for (let day = first + VISITED; day <= until; day += VISITED) days.push(day)
  const last = today - 1 - ((number * 5) % LATEST_VISIT)
  return last > days.at(-1)! && last >= began ? [...days, last] : days
}

function contactType({ id, service }: Row, day: number, began: number): number {
  return service === REPRESENTATION && day > began + 3 ? VISIT : CONTACTS[Number(id) % CONTACTS.length]
}

function actionOf(day: number, { work, lookups, casework }: DemoContext, type?: number): Row {
  const value = type ?? work.likely(lookups('action_type')).value
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
  if ((isLast && !open) || !work.chance(isLast ? LAST_PLANNED : PLANNED)) return NO_PLAN
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

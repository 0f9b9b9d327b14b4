import { sql } from 'kysely'
import { outcomesOf } from '../../../contract/automations/evaluateAutomations.ts'
import { type Calendars, calendarOf, holidaysOf } from '../../../contract/deadlines/calendars.ts'
import { addLength, lengthOf } from '../../../contract/deadlines/spans.ts'
import type { NotifyOutcome, StepOutcome } from '../../../contract/generated.ts'
import type { Db } from '../../core/db.ts'
import { type NotifyingEvent, notifyReceivers } from './notifyReceivers.ts'
import { receiversOf } from './receivers.ts'
import type { HoldingState } from './stateChanges.ts'

interface EventContext {
  db: Db
  /** Who saved; null for a job. */
  by: number | null
  /** YYYY-MM-DD where the service works. */
  today: string
  calendars: Calendars
}

/** A state that begins, with the key of the upload or publication that caused it. */
interface BegunState {
  state: HoldingState
  batch?: string
}

/** Plans the steps and notifies the receivers of states that begin, and stores an event for each. */
export async function fireEvents(context: EventContext, begun: BegunState[]): Promise<void> {
  const events: NotifyingEvent[] = []
  for (const { state, batch } of begun) {
    const steps = outcomesOf<StepOutcome>(state.automation.then, 'step')
    const notices = outcomesOf<NotifyOutcome>(state.automation.then, 'notify')
    if (steps.length + notices.length === 0) continue
    const id = await insertEvent(context, state)
    for (const step of steps) await planStep(context, state, id, step)
    events.push({ id, state, notices, batch })
  }
  await notifyReceivers(context.db, events, context.by)
}

async function insertEvent({ db, by }: EventContext, state: HoldingState): Promise<number> {
  const { automation, record, caseId, client, type, version, label, because } = state
  const { rows } = await sql<{ id: number }>`insert into automation_events
      (case_type, name, version, client, "case", issue, label, because, by)
    values (${type}, ${automation.name}, ${version}, ${client}, ${caseId}, ${record.issue}, ${label}, ${because}, ${by})
    returning id`.execute(db)
  return rows[0].id
}

/** Plans a step for its assignee; without one, for the person who saved, so that it is somebody's. */
async function planStep(
  { db, by, today, calendars }: EventContext,
  state: HoldingState,
  event: number,
  { step, due, for: receiver = 'advocate' }: StepOutcome,
): Promise<void> {
  const { record, caseId, client } = state
  const holidays = holidaysOf(calendars, calendarOf(calendars, record.caseValues.council_area))
  const dueOn = addLength(today, lengthOf(due, {})!, holidays)
  const [assignee = by] = await receiversOf(db, state, [receiver])
  await sql`insert into tasks (title, due, assignee, created_by, issue, "case", client, event)
    values (${step}, ${dueOn}, ${assignee}, ${by}, ${record.issue}, ${record.issue === null ? caseId : null},
      ${client}, ${event})`.execute(db)
}

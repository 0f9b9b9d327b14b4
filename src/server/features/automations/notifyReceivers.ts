import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { NotifyOutcome } from '../../../contract/generated.ts'
import type { Db } from '../../core/db.ts'
import { queueMails } from '../../records/workNotices/queueMails.ts'
import { receiversOf } from './receivers.ts'
import type { HoldingState } from './stateChanges.ts'

/** An event whose receivers are to be notified. */
export interface NotifyingEvent {
  id: number
  state: HoldingState
  notices: NotifyOutcome[]
  /** What it was uploaded or published with; undefined for a change of its own. */
  batch?: string
}
/** One notice of a receiver: of all events of an automation that belong together, as those of a `batch` do. */
export interface Notice {
  staff: number
  batch: string
  text: string
  urgent: boolean
  events: number[]
}

/**
 * Notifies the receivers of events in the transaction of the change: each once of all that an automation says about what
 * was changed, uploaded or published together. A later part of an upload makes its notice unread again.
 */
export async function notifyReceivers(db: Db, events: NotifyingEvent[], by: number | null): Promise<void> {
  await storeNotices(db, await noticesOf(db, events), by)
}

/** Stores notices; of a batch that was stored before, it adds the events. */
export async function storeNotices(db: Db, notices: Notice[], by: number | null): Promise<void> {
  if (notices.length === 0) return
  const { rows } = await sql<{ id: number }>`with given as (
      select * from jsonb_to_recordset(${JSON.stringify(notices)}::jsonb)
        as g(staff int, batch text, text text, urgent boolean, events int[])
    ), stored as (
      insert into work_notices (staff, event, created_by, text, urgent, batch)
      select staff, events[1], ${by}::int, text, urgent, batch from given order by staff, batch
      on conflict (staff, batch) where batch is not null do update
        set created_at = now(), read_at = null, version = work_notices.version + 1
      returning id, staff, batch, xmax = 0 as is_new
    ), linked as (
      insert into work_notice_events (notice, event)
      select s.id, e.event from stored s join given g on g.staff = s.staff and g.batch = s.batch
      cross join lateral unnest(g.events) as e(event) on conflict do nothing
    )
    select id from stored where is_new`.execute(db)
  await queueMails(
    db,
    rows.map(({ id }) => id),
  )
}

/** The notices of all receivers. Of several outcomes for the same person, the urgent one counts. */
async function noticesOf(db: Db, events: NotifyingEvent[]): Promise<Notice[]> {
  const change = randomUUID()
  const notices = new Map<string, Notice>()
  for (const { id, state, notices: outcomes, batch = change } of events) {
    const urgentFirst = outcomes.toSorted((a, b) => Number(b.urgent ?? false) - Number(a.urgent ?? false))
    for (const { notify, text, urgent = false } of urgentFirst) {
      for (const staff of await receiversOf(db, state, notify)) {
        const together = `${batch}/${state.type}/${state.automation.name}`
        const key = `${staff}/${together}`
        const notice = notices.get(key) ?? { staff, batch: together, text, urgent, events: [] }
        notices.set(key, notice)
        if (!notice.events.includes(id)) notice.events.push(id)
      }
    }
  }
  return [...notices.values()]
}

import { randomUUID } from 'node:crypto'
import type { NotifyOutcome } from '../../../contract/generated.ts'
import type { Db } from '../../core/db.ts'
import { type Notice, storeNotices } from '../../records/workNotices/storeNotices.ts'
import { receiversOf } from './receivers.ts'
import type { HoldingState } from './stateChanges.ts'

export interface NotifyingEvent {
  id: number
  state: HoldingState
  notices: NotifyOutcome[]
  /** The key of the upload or publication that caused it; undefined for a single change. */
  batch?: string
}

/**
 * Notifies the receivers of events in the transaction of the change. Each receiver gets one notice per automation for
 * everything that was changed, uploaded or published together. A later part of an upload makes its notice unread again.
 */
export async function notifyReceivers(db: Db, events: NotifyingEvent[], by: number | null): Promise<void> {
  await storeNotices(db, await noticesOf(db, events), by)
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

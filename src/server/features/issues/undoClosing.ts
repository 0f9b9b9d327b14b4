import { sql } from 'kysely'
import type { Issue } from '../../../contract/types/entities.ts'
import type { Call } from '../../core/call.ts'
import { problem } from '../../core/problems.ts'
import type { Changes } from '../../records/audit/audit.ts'
import { numbersOf } from '../../records/merged/mergedRecords.ts'
import { fetch } from '../../records/verbs/read.ts'
import { update } from '../../records/verbs/update.ts'
import { setDone } from '../entries/doneTask.ts'
import { lockEntry } from '../entries/entries.ts'
import { moveEntry } from '../entries/moveEntry.ts'
import { changeIssue } from './changeIssue.ts'

interface ClosingEvent {
  id: number
  entity: string
  action: string
  record: number
  version: number | null
  staff: number | null
  request: string
  changes: Changes
}

const CHANGED = 'This was changed since it was closed: reopen the issue instead'

/**
 * Undoes the caller's own closing of an issue, with what became of its steps and the date of death, by the audit events
 * of that request; refuses if any of it has been changed since.
 */
export async function undoClosing(call: Call, issue: Issue): Promise<Issue> {
  const { db, me } = call
  const { rows } = await sql<ClosingEvent>`select * from audit
    where entity = 'issue' and record = ${issue.id} and action = 'close' order by version desc limit 1`.execute(
    db,
  )
  const [closing] = rows
  if (issue.is_opened || closing?.staff !== me.id || closing.version !== issue.version)
    throw problem('conflict', { message: CHANGED })
  // Events of the client are found by an index; those of the request are the last of them.
  const { rows: others } = await sql<ClosingEvent>`select * from audit
    where client = any(${await numbersOf(db, 'client', [issue.client!])}::int[]) and request = ${closing.request} and id <> ${closing.id} and id < ${closing.id}
    order by id desc`.execute(db)
  const before = Object.entries(closing.changes).map(([name, { from }]) => [name, from])
  const reopened = await changeIssue(call, issue, 'undo close', Object.fromEntries(before))
  for (const event of others) await UNDO[`${event.entity} ${event.action}`]?.(call, event)
  return reopened
}

/**
 * Functions that undo an event of a closing, by entity and action. Other events, such as those of the next step of an
 * action, are undone with these.
 */
const UNDO: Record<string, (call: Call, event: ClosingEvent) => Promise<unknown>> = {
  'task complete': reopenTask,
  'task drop': reopenTask,
  'task move away': async (call, { record, changes }) => {
    const { issue, task } = call.contract.entities
    const row = await lockEntry(call, task, record)
    if (row.issue !== changes.issue.to) throw problem('conflict', { message: CHANGED })
    await moveEntry(call, task, row, { issue: await fetch(call, issue, changes.issue.from) })
  },
  'client update': async (call, { record, changes, version }) => {
    const client = await lockEntry(call, call.contract.entities.client, record)
    if (client.version !== version) throw problem('conflict', { message: CHANGED })
    const body = { dod: changes.dod.from }
    await update({ ...call, params: { id: record }, body }, call.contract.entities.client)
  },
}

async function reopenTask(call: Call, { record, version }: ClosingEvent): Promise<void> {
  const row = await lockEntry(call, call.contract.entities.task, record)
  if (row.version !== version) throw problem('conflict', { message: CHANGED })
  await setDone({ ...call, params: { id: record } }, false)
}

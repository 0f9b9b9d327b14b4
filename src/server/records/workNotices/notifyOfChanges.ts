import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { ownNotice } from '../../../contract/automations/noticeEntities.ts'
import { fillNoticeText } from '../../../contract/automations/noticeText.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { EntityAutomation } from '../../../contract/generated.ts'
import { isEqual } from '../../../contract/isEqual.ts'
import { holds } from '../../../contract/when.ts'
import type { Db, Row } from '../../core/db.ts'
import { queueMails } from './queueMails.ts'
import { receiversOf } from './receivers.ts'
import { type Notice, storeNotices } from './storeNotices.ts'

interface Context {
  db: Db
  contract: Contract
  /** Who changed the records, and so gets no notice; null for a job. */
  by: number | null
}

/** A record as it is now, and as it was; without `before` its condition counts as not met before. */
interface ChangedRecord {
  before?: Row
  after: Row
}

/** A notice to store: for a person, about a record. */
interface RecordNotice {
  automation: EntityAutomation
  record: Row
  staff: number
  text: string
  urgent: boolean
  /** Column of work_notices with the id of the record; undefined if the notice is about its case or issue. */
  column: string | undefined
}

/** Lets the automations of an entity notify people of changed records, in the transaction of the change. */
export async function notifyOfChanges(
  context: Context,
  entity: string,
  records: ChangedRecord[],
): Promise<void> {
  const { automations = [] } = context.contract.entities[entity]
  const notices: RecordNotice[] = []
  for (const automation of automations) {
    const begun = records.filter((record) => !automation.waits && begins(automation, record))
    notices.push(
      ...(await noticesOf(
        context,
        entity,
        automation,
        begun.map(({ after }) => after),
      )),
    )
  }
  // Stored before others are removed, because a notice about a record takes the place of an earlier one.
  await storeRecordNotices(context, entity, notices)
  for (const automation of automations) {
    const ended = automation.lasts ? records.filter((record) => ends(automation, record)) : []
    if (ended.length > 0) await removeNotices(context.db, entity, automation, ended)
  }
}

/**
 * `notifyOfChanges` by ids, for records in which no condition held before: new ones, and uploads whose job has ended.
 */
export async function notifyOfRecords(context: Context, entity: string, ids: number[]): Promise<void> {
  const { automations = [], table } = context.contract.entities[entity]
  if (automations.length === 0 || ids.length === 0) return
  const { rows } = await sql<Row>`select r.* from ${sql.table(table!)} r
    where r.id = any(${ids}::int[]) order by r.id`.execute(context.db)
  await notifyOfChanges(
    context,
    entity,
    rows.map((after) => ({ after })),
  )
}

/** True if the condition begins to hold, or if it holds and the field `changed` of the automation has changed. */
function begins({ when, changed }: EntityAutomation, { before, after }: ChangedRecord): boolean {
  if (!holds(when, { record: after })) return false
  if (before === undefined || !holds(when, { record: before })) return true
  return changed !== undefined && !isEqual(before[changed] ?? null, after[changed] ?? null)
}

function ends({ when }: EntityAutomation, { before, after }: ChangedRecord): boolean {
  return before !== undefined && holds(when, { record: before }) && !holds(when, { record: after })
}

/** The notices of records, one for each receiver: of several for the same person, the urgent one counts. */
export async function noticesOf(
  { db, by }: Context,
  entity: string,
  automation: EntityAutomation,
  records: Row[],
): Promise<RecordNotice[]> {
  if (records.length === 0) return []
  const byId = new Map(records.map((record) => [record.id, record]))
  const notices = new Map<string, RecordNotice>()
  const urgentFirst = automation.then.toSorted(
    (a, b) => Number(b.urgent ?? false) - Number(a.urgent ?? false),
  )
  for (const { notify, text, urgent = false } of urgentFirst) {
    const column = ownNotice(entity, notify)?.column
    for (const { record, staff } of await receiversOf(db, entity, records, notify)) {
      const key = `${record} ${staff}`
      if (staff !== by && !notices.has(key))
        notices.set(key, { automation, record: byId.get(record)!, staff, text, urgent, column })
    }
  }
  return [...notices.values()]
}

/** Stores notices, and queues their mails. One about a record that has a notice already makes that unread again. */
export async function storeRecordNotices(
  context: Context,
  entity: string,
  notices: RecordNotice[],
): Promise<void> {
  for (const column of new Set(notices.map((notice) => notice.column))) {
    const some = notices.filter((notice) => notice.column === column)
    if (column === undefined) await storeEvents(context, entity, some)
    else await storeOwn(context, column, some)
  }
}

async function storeOwn({ db, by }: Context, name: string, notices: RecordNotice[]): Promise<void> {
  const column = sql.ref(name)
  const rowsOfNotices = notices.map(({ record, staff, text, urgent }) => ({
    record: record.id,
    staff,
    text,
    urgent,
  }))
  const { rows } = await sql<{
    id: number
  }>`insert into work_notices (staff, ${column}, created_by, text, urgent)
    select g.staff, g.record, ${by}::int, g.text, g.urgent
    from jsonb_to_recordset(${JSON.stringify(rowsOfNotices)}::jsonb) as g(record int, staff int, text text, urgent boolean)
    join staff p on p.id = g.staff and is_employed(p.status)
    order by g.staff, g.record
    on conflict (staff, ${column}) where ${column} is not null do update
      set created_at = now(), read_at = null, created_by = excluded.created_by, text = excluded.text,
        urgent = excluded.urgent, version = work_notices.version + 1
    returning id`.execute(db)
  await queueMails(
    db,
    rows.map(({ id }) => id),
  )
}

/** Stores notices as events of the issue of their record, or of its case; one without a case has none. */
async function storeEvents({ db, by }: Context, entity: string, notices: RecordNotice[]): Promise<void> {
  const change = randomUUID()
  const events = new Map<string, number | undefined>()
  const stored = new Map<string, Notice>()
  for (const { automation, record, staff, text, urgent } of notices) {
    const name = `${entity}.${automation.name}`
    const eventKey = `${name}/${record.id}`
    if (!events.has(eventKey)) events.set(eventKey, await insertEvent(db, { entity, automation, record, by }))
    const event = events.get(eventKey)
    if (event === undefined) continue
    const words = fillNoticeText(text, record)
    // Records about which the same is said are one notice.
    const batch = `${change}/${name}/${words}`
    const key = `${staff}/${batch}`
    const notice = stored.get(key) ?? { staff, batch, text: words, urgent, events: [] }
    stored.set(key, notice)
    notice.events.push(event)
  }
  await storeNotices(db, [...stored.values()], by)
}

interface NewEvent extends Pick<RecordNotice, 'automation' | 'record'> {
  entity: string
  by: number | null
}

/** Stores the event of a record, and returns its id; undefined if the record has no case. */
async function insertEvent(
  db: Db,
  { entity, automation, record, by }: NewEvent,
): Promise<number | undefined> {
  const issue = entity === 'issue' ? record.id : record.issue
  const { rows } = await sql<{ id: number }>`insert into automation_events
      (case_type, name, version, client, "case", issue, label, because, by)
    select k.case_type, ${`${entity}.${automation.name}`}, t.version, k.client, k.id, ${issue ?? null}::int,
      ${automation.label}, ${automation.label}, ${by}::int
    from cases k join case_types t on t.id = k.case_type where k.id = ${record.case ?? null}::int returning id`.execute(
    db,
  )
  return rows[0]?.id
}

/** Deletes the notices of an automation about records in which its condition no longer holds. */
async function removeNotices(
  db: Db,
  entity: string,
  { then }: EntityAutomation,
  records: ChangedRecord[],
): Promise<void> {
  const ids = records.map(({ after }) => after.id)
  for (const { notify, text } of then) {
    const column = ownNotice(entity, notify)?.column
    if (!column) continue
    // The text tells its notices from those of other automations about the same records.
    await sql`delete from work_notices where ${sql.ref(column)} = any(${ids}::int[]) and text = ${text}`.execute(
      db,
    )
  }
}

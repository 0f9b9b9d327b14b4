import { sql } from 'kysely'
import { ownNotice } from '../../../contract/automations/noticeEntities.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { EntityAutomation } from '../../../contract/generated.ts'
import { holds } from '../../../contract/when.ts'
import type { Db, Row } from '../../core/db.ts'
import { noticesOf, storeRecordNotices } from './notifyOfChanges.ts'

/** Days for which a record that is due is looked at: fewer than a notice is kept, so that people are notified once. */
const WINDOW_DAYS = 14
/** Maximum number of records of an automation in one run, those first that became due last. */
const MAX_RECORDS = 500

/**
 * Notifies people once of records whose condition still holds a number of days after a date in the record, for
 * automations with `waits`.
 */
export async function notifyOfWaiting({ db, contract }: { db: Db; contract: Contract }): Promise<void> {
  for (const [entity, { automations = [] }] of Object.entries(contract.entities))
    for (const automation of automations)
      if (automation.waits)
        await db.transaction().execute((tx) => notifyOf({ db: tx, contract }, entity, automation))
}

async function notifyOf(
  { db, contract }: { db: Db; contract: Contract },
  entity: string,
  automation: EntityAutomation,
): Promise<void> {
  const { since, days } = automation.waits!
  const day = sql.ref(`r.${since}`)
  const [{ notify }] = automation.then
  const { column } = ownNotice(entity, notify)!
  const { rows } = await sql<Row & { notified: number[] }>`select r.*, array(
      select n.staff from work_notices n where ${sql.ref(`n.${column}`)} = r.id and n.created_at::date >= ${day}::date + ${days}::int
    ) as notified
    from ${sql.table(contract.entities[entity].table!)} r
    where ${day} >= current_date - ${days + WINDOW_DAYS}::int and ${day} < current_date - ${days - 1}::int
    order by ${day} desc, r.id desc limit ${MAX_RECORDS}`.execute(db)
  const waiting = rows.filter((record) => holds(automation.when, { record }))
  const notices = await noticesOf({ db, contract, by: null }, entity, automation, waiting)
  const fresh = notices.filter(({ record, staff }) => !(record.notified as number[]).includes(staff))
  await storeRecordNotices({ db, contract, by: null }, entity, fresh)
}

import { sql } from 'kysely'
import { ownNotice } from '../../../contract/automations/noticeEntities.ts'
import type { Contract } from '../../../contract/contract.ts'
import type { EntityAutomation } from '../../../contract/generated.ts'
import { holds } from '../../../contract/when.ts'
import type { Db, Row } from '../../core/db.ts'
import { noticesOf, storeRecordNotices } from './notifyOfChanges.ts'

/** Days after which a record that waits is no news any more: fewer than a notice is kept, so that it comes once. */
const WINDOW_DAYS = 14
/** Most records of an automation in one run. */
const MAX_RECORDS = 500

/** Notifies people once of records whose condition has held for the days of an automation with `waits`. */
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
  const waitsFrom = sql`(${sql.ref(`r.${since}`)})::date + ${days}::int`
  const [{ notify }] = automation.then
  const { column } = ownNotice(entity, notify)!
  const { rows } = await sql<Row & { notified: number[] }>`select r.*, array(
      select n.staff from work_notices n where ${sql.ref(`n.${column}`)} = r.id and n.created_at::date >= ${waitsFrom}
    ) as notified
    from ${sql.table(contract.entities[entity].table!)} r
    where ${waitsFrom} between current_date - ${WINDOW_DAYS}::int and current_date
    order by ${sql.ref(`r.${since}`)}, r.id limit ${MAX_RECORDS}`.execute(db)
  const waiting = rows.filter((record) => holds(automation.when, { record }))
  const notices = await noticesOf({ db, contract, by: null }, entity, automation, waiting)
  const fresh = notices.filter(({ record, staff }) => !(record.notified as number[]).includes(staff))
  await storeRecordNotices({ db, contract, by: null }, entity, fresh)
}

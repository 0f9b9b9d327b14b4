import { sql } from 'kysely'
import { STATUS } from '../../../contract/status.ts'
import type { Client } from '../../../contract/types/entities.ts'
import { isSet } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { notifyOfWork } from './notifyOfWork.ts'

/**
 * Notifies the advocates of a client's open issues, in the transaction of the change, that the person has died. A date
 * that is taken back takes the notices along.
 */
export async function notifyOfDeath(
  { db, me }: Call,
  client: Pick<Client, 'id' | 'dod'>,
  columns: Partial<Client>,
): Promise<void> {
  if (!('dod' in columns) || columns.dod === client.dod) return
  if (!isSet(columns.dod)) {
    await sql`delete from work_notices where client = ${client.id}`.execute(db)
    return
  }
  const { rows } = await sql<{ advocate: number }>`select distinct i.advocate from issues i
    where i.client = ${client.id} and i.is_opened and i.status = ${sql.lit(STATUS.active)} and i.advocate is not null`.execute(
    db,
  )
  const to = rows.map(({ advocate }): [number, number] => [client.id, advocate])
  if (to.length > 0) await notifyOfWork(db, { kind: 'client', by: me.id, to })
}

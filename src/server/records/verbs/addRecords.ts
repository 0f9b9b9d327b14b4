import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import { insertCreateEvents } from '../audit/audit.ts'
import { insertRows } from '../query/columns.ts'

/** Inserts records with their audit events in one round trip; returns their ids in the order of the rows. */
export async function addRecords(call: Call, name: string, rows: Row[]): Promise<number[]> {
  if (rows.length === 0) return []
  const { rows: added } = await sql<{
    id: number
  }>`with added as (${insertRows(call.contract.entities[name].table!, rows)}),
    noted as (${insertCreateEvents(call, name, 'added')}) select id from added order by id`.execute(call.db)
  return added.map(({ id }) => id)
}

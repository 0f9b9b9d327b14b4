import { sql } from 'kysely'
import type { Handler } from '../call.ts'
import { columnsOf } from '../columns.ts'
import type { Row } from '../db.ts'
import { problem } from '../problems.ts'
import { purgeClient, tombstone } from '../purge.ts'
import { visibleTo } from '../scope.ts'
import { lockRow } from '../verbs/lockRow.ts'
import { fetch } from '../verbs/read.ts'

/** The equality data of the client's last case, offered for a new one; empty values where there is none. */
export const monitoring: Handler = async (call) => {
  const { contract, db, params, me } = call
  await fetch(call, contract.entities.client, params.id)
  const { rows } = await sql<Row>`select ${columnsOf(contract.entities.caseMonitoring)} from case_monitoring r
    join cases k on k.id = r."case" where k.client = ${params.id} and ${visibleTo('case', me, 'k')} order by k.id desc limit 1`.execute(
    db,
  )
  return rows[0] ?? {}
}

/** Clients with the same name and, where both are known, the same birthday; of those out of scope the id and nothing more. */
export const duplicates: Handler = async ({ db, me, query }) => {
  const { first_name = '', last_name = '', dob = null } = query
  const { rows } = await sql<Row & { visible: boolean }>`
    select c.id, c.first_name || ' ' || c.last_name as name, c.dob, ${visibleTo('client', me, 'c')} as visible
    from clients c
    where c.search = searchable(${`${first_name} ${last_name}`}) and (${dob}::date is null or c.dob is null or c.dob = ${dob})
    order by c.id desc limit 10`.execute(db)
  return rows.map((row) => (row.visible ? row : { id: row.id, name: null, dob: null, visible: false }))
}

/** Deletes a retired client without active cases for good; who did it, and when, stays. */
export const purge: Handler = async (call) => {
  await lockRow(call, call.contract.entities.client)
  const client = await fetch(call, call.contract.entities.client, call.params.id)
  if (client.status !== 2 || client.open_cases !== 0) throw problem('stillActive')
  await purgeClient(call, Number(client.id))
  await tombstone(call, 'client')
  return { id: client.id }
}

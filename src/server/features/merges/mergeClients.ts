import { sql } from 'kysely'
import { editableFields } from '../../../contract/entity.ts'
import { STATUS } from '../../../contract/status.ts'
import type { Client } from '../../../contract/types/entities.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call, Handler } from '../../core/call.ts'
import { fieldProblem, problem } from '../../core/problems.ts'
import { type Changes, writeAuditEvent } from '../../records/audit/audit.ts'
import { MOVED_WITH_CLIENT } from '../../records/merged/clientReferences.ts'
import { assignments, listsAsJson } from '../../records/query/columns.ts'
import { validateBody } from '../../records/validate/validateBody.ts'
import { refuseHeld } from '../automations/refuseHeld.ts'
import { chosenColumns, differencesOf } from './choices.ts'
import { comparedClient } from './compareClients.ts'
import { becomesActive } from './comparison.ts'
import { lockRecords } from './lockRecords.ts'
import { moveClient } from './moveClient.ts'
import type { Undo } from './moveRows.ts'
import { isNotSame, pairOf } from './pairOfClients.ts'
import { jsonOf } from './rows.ts'

/**
 * Merges another client into that of the path: everything of it moves, and its number leads to the one that remains.
 * Automations and deadlines are evaluated again, but cause no further steps and notices.
 */
export const mergeClients: Handler = async (call) => {
  const { db } = call
  const body = await validateBody(call, call.contract.bodies.merge, call.body)
  const [{ id }, { id: old }] = await pairOf(call, body.other)
  const ids = [id, old]
  await lockRecords(db, { entity: 'client', ids, clients: ids, rowsOf: old, references: MOVED_WITH_CLIENT })
  const [mine, theirs] = await pairOf(call, old)
  await refuseHeld({ ...call, params: { id: old } })
  if (await isNotSame(db, id, old)) throw problem('notSamePerson')
  if (mine.version !== body.version || theirs.version !== body.other_version) throw problem('conflict')
  const fields = editableFields(call.contract.entities.client)
  const differences = await differencesOf(db, fields, comparedClient(mine), comparedClient(theirs))
  const columns = columnsOf(mine, theirs, chosenColumns(differences, body.choices))
  await sql`select set_config('casework.fires', 'off', true)`.execute(db)
  await writeAuditEvent(call, {
    action: 'merge',
    entity: 'client',
    record: old,
    changes: { merged_into: { from: null, to: id } },
  })
  const moved = await moveClient(db, old, id)
  const [record] = await jsonOf(db, sql`delete from clients c where id = ${old} returning to_jsonb(c) as row`)
  const changes = await storeFields(call, mine, columns, {
    action: 'merge',
    changes: { merged_from: { from: null, to: old } },
  })
  const undo: Undo = { record, into: id, fields: changes, ...moved }
  await sql`insert into merges (entity, old, client, by, undo)
    values ('client', ${old}, ${id}, ${call.me.id}, ${JSON.stringify(undo)})`.execute(db)
  return { id, merged_from: [old] }
}

/** The chosen columns that differ; a client with active work is not retired. */
function columnsOf(mine: Client, theirs: Client, chosen: Values): Values {
  const columns = { ...chosen, ...(becomesActive(mine, theirs) && { status: STATUS.active }) }
  const { dob, dod } = { ...mine, ...columns } as Client
  if (dob && dod && dob > dod)
    throw fieldProblem({ 'choices.dod': ['The date of death must not be before the date of birth'] })
  return columns
}

/** Stores columns of the client that remains with an audit event; returns the changes of its fields. */
export async function storeFields(
  { contract, ...call }: Call,
  client: Client,
  columns: Values,
  { action, changes }: { action: string; changes: Changes },
): Promise<Changes> {
  const { id } = client
  const version = client.version + 1
  const fields: Changes = Object.fromEntries(
    Object.entries(columns).map(([name, to]) => [name, { from: (client as Values)[name] ?? null, to }]),
  )
  const stamped = listsAsJson(contract.entities.client, { ...columns, version, updated_at: new Date() })
  await sql`update clients set ${assignments(stamped)} where id = ${id}`.execute(call.db)
  await writeAuditEvent(
    { contract, ...call },
    { action, entity: 'client', record: id, version, changes: { ...fields, ...changes } },
  )
  return fields
}

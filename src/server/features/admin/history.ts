import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Changes } from '../../records/audit/audit.ts'
import { describeChangeLists, namedField } from '../../records/audit/describeChangeLists.ts'
import { modelOf } from './models.ts'

interface ItemEvent {
  id: number
  at: Date
  action: string
  changes: Changes | null
  person: string
}
const MAX_EVENTS = 500

/** Audit events of an item, newest first, with the present labels of its fields. */
export async function historyOf(call: Call) {
  const { contract, params, db } = call
  const model = modelOf(contract, String(params.type))
  const { rows } = await sql<ItemEvent>`select a.id, a.at, a.action, a.changes,
    coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person
    from audit a left join staff s on s.id = a.staff
    where a.entity = ${model.$id} and a.record = ${params.id} order by a.id desc limit ${MAX_EVENTS}`.execute(
    db,
  )
  const changes = await describeChangeLists(
    call,
    rows.map((row) => row.changes),
    (name) => namedField(name, model.properties[name]),
  )
  return rows.map((row, i) => ({ ...row, changes: changes[i] }))
}

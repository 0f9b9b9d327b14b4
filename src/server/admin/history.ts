import { sql } from 'kysely'
import { fieldOf } from '../../contract/entity.ts'
import type { Field } from '../../contract/types.ts'
import type { Changes } from '../audit.ts'
import type { Call } from '../call.ts'
import { lookupLabels } from '../lookupLabels.ts'
import { valueText } from '../valueText.ts'
import { modelOf } from './models.ts'

interface Entry {
  id: number
  at: Date
  action: string
  changes: Changes | null
  person: string
}
const MOST = 500

/** The entries of the audit about an item, newest first, with the labels of its fields as they are now. */
export async function historyOf(call: Call) {
  const { contract, params, db } = call
  const model = modelOf(contract, String(params.type))
  const { rows } = await sql<Entry>`select a.id, a.at, a.action, a.changes,
    coalesce(nullif(trim(s.first_name || ' ' || s.last_name), ''), 'The system') as person
    from audit a left join staff s on s.id = a.staff
    where a.entity = ${model.$id} and a.record = ${params.id} order by a.id desc limit ${MOST}`.execute(db)
  const field = (name: string): Field =>
    model.properties[name]
      ? fieldOf(name, model.properties[name], false)
      : { name, label: name, type: 'text' }
  const changed = rows.map(({ changes }) =>
    Object.entries(changes ?? {}).map(([name, change]) => ({ field: field(name), ...change })),
  )
  const values = changed
    .flat()
    .flatMap((one) => [one.from, one.to].map((value): [Field, unknown] => [one.field, value]))
  const labels = await lookupLabels(call, values)
  return rows.map((row, i) => ({
    ...row,
    changes: changed[i].map((one) => ({
      field: one.field.name,
      label: one.field.label,
      from: valueText(one.from, one.field, labels),
      to: valueText(one.to, one.field, labels),
    })),
  }))
}

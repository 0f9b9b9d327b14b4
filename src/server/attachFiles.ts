import { sql } from 'kysely'
import { same } from '../contract/settle.ts'
import type { Field } from '../contract/types.ts'
import { isSet, type Values } from '../contract/when.ts'
import type { Call } from './call.ts'
import { prefixed, refuse } from './problems.ts'

interface Owner {
  entity: string
  record: number
  /** Where the values stand in the body, for messages. */
  at: string
}

/** Makes the caller's uploaded files part of the record that is being saved; any other file's id is refused. */
export async function attachFiles(
  call: Call,
  { entity, record, at }: Owner,
  fields: Field[],
  values: Values,
  stored: Values = {},
): Promise<void> {
  for (const { name, type, label } of fields) {
    const id = values[name]
    if (type !== 'file' || !isSet(id) || same(id, stored[name])) continue
    const { rows } = await sql`update files set entity = ${entity}, record = ${record}
      where id = ${id} and created_by = ${call.me.id} and record is null returning 1`.execute(call.db)
    if (rows.length === 0) refuse(prefixed(at, { [name]: [`${label}: this file cannot be used here`] }))
  }
}

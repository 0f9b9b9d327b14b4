import { sql } from 'kysely'
import type { Field } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import type { Call } from '../call.ts'
import { prefixed, refuse } from '../problems.ts'

interface Owner {
  entity: string
  record: number
  /** Where the values stand in the body, for messages. */
  at: string
}
/** A file that values name, and where. */
interface Named {
  id: unknown
  path: string
  label: string
}

/** Makes the caller's uploaded files part of the record that is being saved; any other file's id is refused. */
export async function attachFiles(
  call: Call,
  { entity, record, at }: Owner,
  fields: readonly Field[],
  values: Values,
  stored: Values = {},
): Promise<void> {
  const attached = new Set(namedIn(fields, stored).map(({ id }) => id))
  for (const { id, path, label } of namedIn(fields, values)) {
    if (attached.has(id)) continue
    const { rows } = await sql`update files set entity = ${entity}, record = ${record}
      where id = ${id} and created_by = ${call.me.id} and record is null returning 1`.execute(call.db)
    if (rows.length === 0) refuse(prefixed(at, { [path]: [`${label}: this file cannot be used here`] }))
  }
}

/** The files of fields, and of the columns of repeats. */
function namedIn(fields: readonly Field[], values: Values, place = ''): Named[] {
  return fields.flatMap(({ name, type, label, fields: columns = [] }): Named[] => {
    const [value, path] = [values[name], place + name]
    if (type === 'repeat')
      return ((value ?? []) as Values[]).flatMap((row, i) => namedIn(columns, row, `${path}.${i}.`))
    return type === 'file' && isSet(value) ? [{ id: value, path, label }] : []
  })
}

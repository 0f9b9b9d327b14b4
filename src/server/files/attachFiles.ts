import { sql } from 'kysely'
import { fileError, holdsFile } from '../../contract/fileKinds.ts'
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
  field: Field
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
  for (const { id, path, field } of namedIn(fields, values)) {
    if (attached.has(id)) continue
    const { rows } = await sql<{
      name: string
      size: number
    }>`update files set entity = ${entity}, record = ${record}
      where id = ${id} and created_by = ${call.me.id} and record is null returning name, size`.execute(
      call.db,
    )
    const wrong = rows[0] ? fileError(field, rows[0]) : `${field.label}: this file cannot be used here`
    if (wrong) refuse(prefixed(at, { [path]: [wrong] }))
  }
}

/** The files of fields, and of the columns of repeats. */
function namedIn(fields: readonly Field[], values: Values, place = ''): Named[] {
  return fields.flatMap((field): Named[] => {
    const { name, type, fields: columns = [] } = field
    const [value, path] = [values[name], place + name]
    if (type === 'repeat')
      return ((value ?? []) as Values[]).flatMap((row, i) => namedIn(columns, row, `${path}.${i}.`))
    return holdsFile(field) && isSet(value) ? [{ id: value, path, field }] : []
  })
}

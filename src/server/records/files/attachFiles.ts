import { sql } from 'kysely'
import { holdsFile, holdsRows } from '../../../contract/fieldTypes.ts'
import { fileError } from '../../../contract/fileKinds.ts'
import type { Field } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { prefixed, refuse } from '../../core/problems.ts'

interface Owner {
  entity: string
  record: number
  /** Path of the values in the body, for errors. */
  at: string
}
/** A file id in values, with its path and field. */
interface FileReference {
  id: unknown
  path: string
  field: Field
}

/** Attaches the caller's uploaded files to the record that is being saved; refuses the ids of other files. */
export async function attachFiles(
  call: Call,
  { entity, record, at }: Owner,
  fields: readonly Field[],
  values: Values,
  stored: Values = {},
): Promise<void> {
  const attached = new Set(filesIn(fields, stored).map(({ id }) => id))
  for (const { id, path, field } of filesIn(fields, values)) {
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

/** The files in the values of fields and of the columns of repeats. */
function filesIn(fields: readonly Field[], values: Values, place = ''): FileReference[] {
  return fields.flatMap((field): FileReference[] => {
    const { name, fields: columns = [] } = field
    const [value, path] = [values[name], place + name]
    if (holdsRows(field))
      return ((value ?? []) as Values[]).flatMap((row, i) => filesIn(columns, row, `${path}.${i}.`))
    return holdsFile(field) && isSet(value) ? [{ id: value, path, field }] : []
  })
}

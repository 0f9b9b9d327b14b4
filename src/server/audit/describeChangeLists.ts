import { fieldOf } from '../../contract/entity.ts'
import type { Field, Property } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import type { Changes } from './audit.ts'
import { formatValue } from './formatValue.ts'
import { lookupLabels } from './lookupLabels.ts'

/** One changed field in people's words; `field` is its path in the record, to put the old value back. */
export interface DescribedChange {
  field: string
  label: string
  from: string
  to: string
}

/** Changes in people's words, list by list; `fieldAt` answers the field that a path of a list's changes names. */
export async function describeChangeLists(
  call: Call,
  lists: (Changes | null)[],
  fieldAt: (path: string, list: number) => Field,
): Promise<DescribedChange[][]> {
  const changed = lists.map((changes, i) =>
    Object.entries(changes ?? {}).map(([path, change]) => ({ path, field: fieldAt(path, i), ...change })),
  )
  const values = changed
    .flat()
    .flatMap(({ field, from, to }) => [from, to].map((value): [Field, unknown] => [field, value]))
  const labels = await lookupLabels(call, values)
  return changed.map((list) =>
    list.map(({ path, field, from, to }) => ({
      field: path,
      label: field.label,
      from: formatValue(from, field, labels),
      to: formatValue(to, field, labels),
    })),
  )
}

/** The field of a property; one that is not described any more goes by its name. */
export function namedField(name: string, property: Property | undefined): Field {
  return property ? fieldOf(name, property, false) : { name, label: name, type: 'text' }
}

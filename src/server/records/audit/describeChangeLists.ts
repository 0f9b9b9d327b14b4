import { fieldOf } from '../../../contract/entity.ts'
import { isMoment } from '../../../contract/fieldTypes.ts'
import { plainLabel } from '../../../contract/filledTexts.ts'
import type { Field, Property } from '../../../contract/generated.ts'
import { isSet } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import type { Changes } from './audit.ts'
import { formatMoment, formatValue, type Labels } from './formatValue.ts'
import { lookupLabels } from './lookupLabels.ts'

/** A changed field with its label and formatted values; `field` is its path in the record, to restore the old value. */
export interface DescribedChange {
  field: string
  label: string
  from: string
  to: string
}

/** Formats lists of changes; `fieldAt` returns the field of a path in the changes of a list. */
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
    list.map(({ path, field, from, to, moved }) => ({
      field: path,
      label: plainLabel(field.label),
      from: formatIn(call.settings.TIME_ZONE, from, field, labels),
      to: moved && !isSet(to) ? 'no longer counted' : formatIn(call.settings.TIME_ZONE, to, field, labels),
    })),
  )
}

/** Formats a value; a moment, which is stored in UTC, as the date and time in a time zone. */
function formatIn(timeZone: string, value: unknown, field: Field, labels: Labels): string {
  const isStoredInUtc = isMoment(field) && /T.*Z$/.test(String(value))
  return isStoredInUtc ? formatMoment(String(value), timeZone) : formatValue(value, field, labels)
}

/** The field of a property; a removed property is labelled with its name. */
export function namedField(name: string, property: Property | undefined): Field {
  return property ? fieldOf(name, property, false) : { name, label: name, type: 'text' }
}

import type { Field } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import type { Call } from '../../core/call.ts'
import { choicesOf } from '../lookups/choices.ts'
import type { Labels } from './formatValue.ts'

type FieldValue = [field: Field, value: unknown]

/** Labels of the lookup items in these values, including lists and rows, and including retired items. */
export async function lookupLabels(call: Call, values: FieldValue[]): Promise<Labels> {
  const idsByLookup = new Map<string, Set<number>>()
  for (const one of values) collect(idsByLookup, one)
  const pairs = [...idsByLookup].map(async ([name, ids]) => {
    const items = await choicesOf(call, name, { active: 'false' }, [...ids])
    return [name, new Map(items.map(({ value, label }) => [value, label]))] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}

function collect(idsByLookup: Map<string, Set<number>>, [{ attrs, fields = [] }, value]: FieldValue): void {
  const parts = Array.isArray(value) ? value : [value]
  if (attrs?.lookup) {
    const known = idsByLookup.get(attrs.lookup) ?? new Set()
    idsByLookup.set(attrs.lookup, known)
    for (const id of parts.filter(Number.isInteger)) known.add(id)
  }
  for (const field of fields)
    for (const row of parts) collect(idsByLookup, [field, (row as Values | null)?.[field.name]])
}

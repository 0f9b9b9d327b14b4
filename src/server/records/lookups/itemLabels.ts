import type { ItemLabel } from '../../../contract/describeAnswer.ts'
import { choicesOf, type LookupCall } from './choices.ts'

/** Labels of some items by the name of their lookup; retired items have theirs, too. */
export async function itemLabelsOf(call: LookupCall, ids: Map<string, Iterable<number>>): Promise<ItemLabel> {
  const labels = new Map<string, Map<number, string>>()
  for (const [lookup, only] of ids) {
    const items = await choicesOf(call, lookup, { active: 'false' }, [...only])
    labels.set(lookup, new Map(items.map(({ value, label }) => [value, label])))
  }
  return (lookup, value) => labels.get(lookup)?.get(value)
}

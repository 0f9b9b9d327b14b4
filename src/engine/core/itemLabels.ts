import type { Item } from './lookups.ts'

/** Labels of items by value; items with the same label are distinguished by their values. */
export function itemLabels(items: Item[]): Map<unknown, string> {
  const once = new Set<string>()
  const twice = new Set<string>()
  for (const { label } of items) (once.has(label) ? twice : once).add(label)
  return new Map(
    items.map(({ value, label }) => [value, twice.has(label) ? `${label} (item ${value})` : label]),
  )
}

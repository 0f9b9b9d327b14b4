import type { Call } from './call.ts'
import { LOOKUP_SOURCES, lookupItems } from './handlers/lookups.ts'

/** Labels of all items of some lookups, retired ones included, by lookup and value. */
export async function lookupLabels(
  call: Call,
  names: string[],
): Promise<Record<string, Map<number, string>>> {
  const pairs = [...new Set(names)].map(async (name) => {
    const source = LOOKUP_SOURCES[call.contract.lookups[name].from ?? '']
    const items = (await (source
      ? source(call, {})
      : lookupItems(call, name, [], { active: 'false' }))) as Item[]
    return [name, new Map(items.map(({ value, label }) => [value, label]))] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}

interface Item {
  value: number
  label: string
}

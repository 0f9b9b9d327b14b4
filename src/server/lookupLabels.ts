import type { Call } from './call.ts'
import { choicesOf } from './handlers/lookups.ts'

/** Labels of all items of some lookups, retired ones included, by lookup and value. */
export async function lookupLabels(
  call: Call,
  names: string[],
): Promise<Record<string, Map<number, string>>> {
  const pairs = [...new Set(names)].map(async (name) => {
    const items = await choicesOf(call, name, { active: 'false' })
    return [name, new Map(items.map(({ value, label }) => [value, label]))] as const
  })
  return Object.fromEntries(await Promise.all(pairs))
}

import { sql } from 'kysely'
import type { Tx } from '../../core/db.ts'

export interface Item {
  value: number
  label: string
  attrs: Record<string, unknown>
}
/** Returns the active items of a kind that match the parameters. */
export type Lookups = (kind: string, by?: Record<string, unknown>) => Item[]

/** Reads all lookups at once; results are cached by parameters. */
export async function readLookups(tx: Tx): Promise<Lookups> {
  const { rows } = await sql<Item & { kind: string }>`select kind, value, label, attrs from lookup
    where active order by kind, position, value`.execute(tx)
  const all: Record<string, Item[]> = {}
  for (const row of rows) {
    all[row.kind] ??= []
    all[row.kind].push(row)
  }
  const cache = new Map<string, Item[]>()
  return (kind, by = {}) => {
    const key = `${kind} ${JSON.stringify(by)}`
    let items = cache.get(key)
    if (!items) {
      items = (all[kind] ?? []).filter(({ attrs }) =>
        Object.entries(by).every(([name, value]) => fits(attrs, name, value)),
      )
      cache.set(key, items)
    }
    return items
  }
}

/** Matches as lookup calls do: an item's key equals the value, or its plural's list contains it, or it has neither. */
function fits(attrs: Item['attrs'], name: string, value: unknown): boolean {
  const own = attrs[name]
  if (own !== undefined) return [value].flat().includes(own)
  const list = attrs[`${name}s`]
  return !Array.isArray(list) || [value].flat().some((one) => list.includes(one))
}

import type { Field, Group } from '../../contract/generated.ts'
import { matches } from '../../engine/widgets/matches.ts'
import type { Item } from '../address.ts'

/** What a search of the tree leaves. */
export interface Found {
  /** The dotted addresses of the rows to show, by the name of their group. */
  rows: Map<string, ReadonlySet<string>>
  /** How many groups, fields and columns match; what only stands around one does not count. */
  count: number
}

/** The groups, fields and columns whose label, name or choices have every word that was typed; undefined without a word. */
export function findItems(groups: Group[], typed: string): Found | undefined {
  if (!typed.trim()) return undefined
  const rows = new Map<string, Set<string>>()
  let count = 0
  for (const group of groups) {
    const shown = new Set<string>()
    /** A match shows all that stands in it. */
    const visit = (item: Item, key: string, isInMatch: boolean): boolean => {
      const isMatch = matches(textOf(item), typed)
      if (isMatch) count++
      const below = (item.fields ?? []).map((one) => visit(one, `${key}.${one.name}`, isMatch || isInMatch))
      const isShown = isMatch || isInMatch || below.includes(true)
      if (isShown) shown.add(key)
      return isMatch || below.includes(true)
    }
    visit(group, group.name, false)
    if (shown.size > 0) rows.set(group.name, shown)
  }
  return { rows, count }
}

function textOf(item: Item): string {
  const options = (item as Field).attrs?.options ?? []
  return [item.label, item.name, ...options.map((one) => one.label)].join(' ')
}

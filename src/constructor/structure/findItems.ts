import type { Field, Group } from '../../contract/generated.ts'
import { matches } from '../../engine/form/widgets/matches.ts'
import type { Item } from '../state/address.ts'

/** Result of a search of the tree. */
export interface Found {
  /** Dotted addresses of the visible rows, by the name of their group. */
  rows: Map<string, ReadonlySet<string>>
  /** Number of matching groups, fields and columns, without the items around or inside a match. */
  count: number
}

/**
 * Finds the groups, fields and columns whose label, name or choices contain every word of the search; undefined if it
 * has none.
 */
export function findItems(groups: Group[], typed: string): Found | undefined {
  if (!typed.trim()) return undefined
  const rows = new Map<string, Set<string>>()
  let count = 0
  for (const group of groups) {
    const shown = new Set<string>()
    /**
     * Collects the visible rows at and below an item; a match makes everything inside it visible. True if anything
     * matches.
     */
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

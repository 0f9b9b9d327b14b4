import { longestIncreasingSubsequence } from './longestIncreasingSubsequence.ts'

interface Named {
  name: string
}
/** One item in two versions of a list: without `is` it was removed, without `was` it was added. */
export interface Pair<Item> {
  was?: Item
  is?: Item
  /** Its position among the remaining items changed; shifts caused by other items do not count. */
  isMoved: boolean
}

/**
 * Aligns two versions of a list by name, in the order of the later one; a removed item follows its former predecessor.
 */
export function alignItems<Item extends Named>(before: Item[], after: Item[]): Pair<Item>[] {
  const former = new Map<string, number>()
  for (const [i, item] of before.entries()) if (!former.has(item.name)) former.set(item.name, i)
  const seen = new Set<string>()
  const pairs: Pair<Item>[] = after.map((is) => {
    const i = seen.has(is.name) ? undefined : former.get(is.name)
    seen.add(is.name)
    return { is, isMoved: false, ...(i !== undefined && { was: before[i] }) }
  })
  const stayed = pairs.filter((pair) => pair.was)
  const inOrder = longestIncreasingSubsequence(stayed.map((pair) => former.get(pair.was!.name)!))
  for (const [i, pair] of stayed.entries()) pair.isMoved = !inOrder.has(i)

  const removedAfter = new Map<Item | undefined, Item[]>()
  const byItem = new Set(stayed.map((pair) => pair.was!))
  let last: Item | undefined
  for (const item of before) {
    if (byItem.has(item)) last = item
    else if (removedAfter.get(last)?.push(item) === undefined) removedAfter.set(last, [item])
  }
  const follow = (item: Item | undefined) =>
    (removedAfter.get(item) ?? []).map((was): Pair<Item> => ({ was, isMoved: false }))
  return [...follow(undefined), ...pairs.flatMap((pair) => [pair, ...(pair.was ? follow(pair.was) : [])])]
}

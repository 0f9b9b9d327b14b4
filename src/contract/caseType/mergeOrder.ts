/**
 * Merges the orders of two lists with a common base: that of mine if it moved something, otherwise that of theirs;
 * additional items of the other list follow their predecessor there.
 */
export function mergeOrder<T>({ base, mine, theirs }: { base: T[]; mine: T[]; theirs: T[] }): T[] {
  const [was, isMine] = [new Set(base), new Set(mine)]
  const common = base.filter((one) => isMine.has(one))
  const hasMoved = mine.filter((one) => was.has(one)).some((one, i) => one !== common[i])
  const [first, second] = hasMoved ? [mine, theirs] : [theirs, mine]
  const order = [...first]
  for (const [i, one] of second.entries()) {
    if (order.includes(one)) continue
    const before = second.slice(0, i).findLast((other) => order.includes(other))
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, one)
  }
  return order
}

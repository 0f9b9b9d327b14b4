/**
 * Indices of a longest increasing subsequence, in O(n log n) by patience sorting: the items that kept their order.
 */
export function longestIncreasingSubsequence(numbers: number[]): Set<number> {
  const tails: number[] = []
  const back: number[] = []
  for (const [i, number] of numbers.entries()) {
    let low = 0
    let high = tails.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (numbers[tails[middle]] < number) low = middle + 1
      else high = middle
    }
    back[i] = low > 0 ? tails[low - 1] : -1
    tails[low] = i
  }
  const positions = new Set<number>()
  for (let i = tails.at(-1) ?? -1; i >= 0; i = back[i]) positions.add(i)
  return positions
}

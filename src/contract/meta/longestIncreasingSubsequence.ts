/**
 * The positions of a longest increasing run of numbers, not next to each other: what kept its order where the numbers
 * are former places. By patience sorting, so n log n.
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

/** The middle of numbers, NaN of none. */
export function median(numbers) {
  const sorted = numbers.filter(Number.isFinite).sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
}

/** A number with so many digits that it can be told from its neighbours, '–' where there is none. */
export function short(number) {
  if (!Number.isFinite(number)) return '–'
  const digits = number >= 100 ? 0 : number >= 10 ? 1 : 2
  return number.toFixed(digits)
}

import type { FieldAttrs } from './generated.ts'

/** Most numbers of a scale: more cannot be distinguished, and do not fit in a row. */
export const MAX_POINTS = 11

/** The numbers at both ends of a scale, by default 0 and 10. */
export function endsOf({ min = 0, max = 10 }: FieldAttrs = {}): { least: number; most: number } {
  return { least: min, most: max }
}

/**
 * The numbers of a scale in order; at least one and at most MAX_POINTS, even while an administrator edits its ends.
 */
export function pointsOf(attrs?: FieldAttrs): number[] {
  const { least, most } = endsOf(attrs)
  const count = Math.min(Math.max(most - least + 1, 1), MAX_POINTS)
  return Array.from({ length: count }, (_, i) => least + i)
}

/** Label of a number of a scale, if it is an end with a label. */
export function wordsAt(attrs: FieldAttrs | undefined, point: number): string | undefined {
  const { least, most } = endsOf(attrs)
  if (point === least) return attrs?.min_text
  return point === most ? attrs?.max_text : undefined
}

/** "0 (Never) to 10 (Always)". */
export function describeScale(attrs?: FieldAttrs): string {
  const { least, most } = endsOf(attrs)
  const end = (point: number) => {
    const words = wordsAt(attrs, point)
    return words ? `${point} (${words})` : String(point)
  }
  return `${end(least)} to ${end(most)}`
}

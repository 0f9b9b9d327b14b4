import type { ListScreen } from '../../../contract/generated.ts'
import type { Row } from '../../core/results.ts'

/** Heights in pixels of a bar with its margin, and of a line chart. */
export const BAR = 22
export const LINE_HEIGHT = 220
/** Maximum number of bars, those of the largest rows; the table has all rows. */
export const MAX_BARS = 20
/** Maximum number of series; more would be indistinguishable. */
export const MAX_SERIES = 4
/** Heights in pixels of the sentence with the margins in figure.css, and of the key. */
const SENTENCE = 50
const KEY = 26

/**
 * Height of the figure in pixels if its sentence has one line, to reserve its space until the code is loaded. Until the
 * rows are loaded, that of a line chart, which equals ten bars.
 */
export function figureHeight(
  { as, of, values, series }: NonNullable<ListScreen['figure']>,
  rows: Row[] | undefined,
): number {
  const countOf = (field: string) => new Set(rows?.map((row) => row[field])).size
  const places = countOf(of)
  const isLine = as === 'line' && places > 1
  const drawing = rows === undefined || isLine ? LINE_HEIGHT : Math.min(places, MAX_BARS) * BAR
  const parts = series === undefined ? values.length : countOf(series)
  return SENTENCE + drawing + (parts > 1 && parts <= MAX_SERIES ? KEY : 0)
}

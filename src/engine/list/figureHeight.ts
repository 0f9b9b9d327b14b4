import type { ListScreen } from '../../contract/generated.ts'
import type { Row } from './results.ts'

/** Pixels of a bar with its room, and of the box of lines. */
export const BAR = 22
export const LINE_HEIGHT = 220
/** Bars of the largest rows; the table has all. */
export const MOST_BARS = 20
/** More series could not be told apart. */
export const MOST_SERIES = 4
/** Pixels of the sentence and the margins of figure.css, and of the key. */
const SENTENCE = 50
const KEY = 26

/**
 * How high the figure of these rows is with one line of sentence: its room is kept until its code is there. Before the
 * rows are, lines have their height already, and bars are taken for ten.
 */
export function figureHeight(
  { as, of, values, series }: NonNullable<ListScreen['figure']>,
  rows: Row[] | undefined,
): number {
  const countOf = (field: string) => new Set(rows?.map((row) => row[field])).size
  const places = countOf(of)
  const isLine = as === 'line' && places > 1
  const drawing = rows === undefined || isLine ? LINE_HEIGHT : Math.min(places, MOST_BARS) * BAR
  const parts = series === undefined ? values.length : countOf(series)
  return SENTENCE + drawing + (parts > 1 && parts <= MOST_SERIES ? KEY : 0)
}

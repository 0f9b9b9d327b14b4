import { compareLabels } from '../../../contract/compareKey.ts'
import { countsSeconds } from '../../../contract/fieldTypes.ts'
import type { ListScreen, Property } from '../../../contract/generated.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { MAX_BARS, MAX_SERIES } from './figureHeight.ts'

/** Text of a missing number. */
const NOTHING = '–'

export type FigureOf = NonNullable<ListScreen['figure']>

/** A bar, or a point of each line. */
export interface Mark {
  /** Sort key of the points of a line. */
  key: unknown
  label: string
  /** By series; undefined: protected or unknown, which is not 0. */
  values: (number | undefined)[]
  /** Sum of the known values. */
  sum: number
  /** Texts of the table in place of unknown values, without duplicates. */
  unknown: string[]
}

/** Names of the figure's series: titles of its values, or values of the `series` field; only one if there are many. */
export function seriesOf(
  { values, series }: FigureOf,
  rows: Row[],
  properties: Record<string, Property>,
): string[] {
  if (!series) return values.map((field) => properties[field].title)
  const names = [...new Set(rows.map((row) => String(row[series] ?? '')))]
  return names.length > MAX_SERIES ? [properties[values[0]].title] : names
}

/** The marks of a list's rows, with numbers divided by `unit`; those of lines are sorted. */
export function marksOf(
  rows: Row[],
  figure: FigureOf,
  { series, unit, wordsOf }: { series: string[]; unit: number; wordsOf: (label: string) => string },
): Mark[] {
  const marks = figure.series
    ? marksOfSeries(rows, figure, figure.series, series, unit)
    : rows.map((row) => markOf(row, figure, unit))
  const ordered =
    figure.as === 'line' ? marks.toSorted((a, b) => compareLabels(String(a.key), String(b.key))) : marks
  return ordered.map((mark) => ({ ...mark, label: wordsOf(mark.label) }))
}

/** A mark for all rows with the same label, with a value for each series. */
function marksOfSeries(
  rows: Row[],
  { of, values: [value] }: FigureOf,
  field: string,
  series: string[],
  unit: number,
): Mark[] {
  const rowsOf = new Map<string, Row[]>()
  for (const row of rows) {
    const label = String(row[of] ?? '')
    rowsOf.set(label, [...(rowsOf.get(label) ?? []), row])
  }
  const at = (row: Row) => Math.max(0, series.indexOf(String(row[field] ?? '')))
  return [...rowsOf].map(([label, ofLabel]) => {
    const values = series.map((_, i) =>
      sumOf(ofLabel.filter((row) => at(row) === i).map((row) => numberOf(row[value], unit))),
    )
    return {
      key: label,
      label,
      values,
      sum: sumOf(values) ?? 0,
      unknown: unknownOf(ofLabel.map((row) => row[value])),
    }
  })
}

/** The sum of the known numbers: 0 if there are none, undefined if all are unknown. */
function sumOf(numbers: (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined)
  return numbers.length > 0 && known.length === 0 ? undefined : known.reduce((all, number) => all + number, 0)
}

function markOf(row: Row, { of, values }: FigureOf, unit: number): Mark {
  const numbers = values.map((field) => numberOf(row[field], unit))
  return {
    key: row[of],
    label: String(row[of] ?? ''),
    values: numbers,
    sum: sumOf(numbers) ?? 0,
    unknown: unknownOf(values.map((field) => row[field])),
  }
}

/** A value of a row in the unit of the figure; undefined for a protected number, which is a text or null. */
function numberOf(value: unknown, unit: number): number | undefined {
  return typeof value === 'number' ? value / unit : undefined
}

function unknownOf(values: unknown[]): string[] {
  const unknown = values.filter((value) => typeof value !== 'number')
  return [...new Set(unknown.map((value) => String(value ?? NOTHING)))]
}

/** The text at the end of a bar: '19', '20 and 5 or fewer', '5 or fewer'. */
export function endOf({ sum, unknown }: Mark, format: (value: number) => string): string {
  return [...(sum > 0 || unknown.length === 0 ? [format(sum)] : []), ...unknown].join(' and ')
}

/** The total below the table, which may differ from the sum of its rows; undefined if it is missing or protected. */
export function totalOf({ totals = {} }: ListReply, { values }: FigureOf, unit: number): number | undefined {
  const sums = values.map((field) => totals[field])
  return sums.every((sum) => typeof sum === 'number')
    ? sums.reduce((all, sum) => all + sum / unit, 0)
    : undefined
}

/**
 * The points of a line of days: a day on which nothing was done is a gap, because a line through it would show work
 * that grew and shrank between days.
 */
export function withoutIdleDays(marks: Mark[]): Mark[] {
  return marks.map((mark) => ({ ...mark, values: mark.values.map((value) => value || undefined) }))
}

/** What the numbers of a figure count, within a sentence: 'open issues', or 'time' for several durations. */
function nounOf({ values }: FigureOf, properties: Record<string, Property>): string {
  const titles = values.map((field) => properties[field].title)
  const areDurations = values.every((field) => countsSeconds(properties[field].fieldType))
  if (values.length > 1 && areDurations) return 'time'
  // An abbreviation such as IMCA keeps its capitals.
  return titles.map((title) => title.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())).join(' and ')
}

/** The summary of a figure, such as 'Avery has the most open issues: 24 of 114.'. */
export function sentenceOf(
  marks: Mark[],
  figure: FigureOf,
  properties: Record<string, Property>,
  format: (value: number) => string,
  total: number | undefined,
): string {
  const { as, share, of } = figure
  const isWhole = marks.every(({ unknown }) => unknown.length === 0)
  const all = total ?? marks.reduce((sum, mark) => sum + mark.sum, 0)
  const [most] = marks.toSorted((a, b) => b.sum - a.sum)
  if (!most || most.sum === 0)
    return total || marks.some(({ unknown }) => unknown.some((words) => words !== NOTHING))
      ? 'No number is large enough to be drawn.'
      : 'Nothing in this period.'
  const noun = nounOf(figure, properties)
  const isDay = properties[of].format
  const who =
    as === 'bars' ? `${most.label} has the most ${noun}` : `Most ${noun} ${isDay ? 'on' : 'in'} ${most.label}`
  const hidden = as === 'bars' ? marks.length - MAX_BARS : 0
  // Without a total, the whole is unknown if any value is.
  const whole = share === false || (total === undefined && !isWhole) ? '' : ` of ${format(all)}`
  return `${who}: ${format(most.sum)}${whole}.${hidden > 0 ? ` The figure leaves out ${hidden} with less.` : ''}`
}

import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { useEffect, useId, useRef, useState } from 'react'
import type { ListScreen, Property } from '../../contract/generated.ts'
import { formatDate } from '../cells/dates.ts'
import { formatHours } from '../cells/HoursCell.tsx'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import type { ListReply, Row } from './results.ts'

/** Bars of the largest rows; the table has all. */
const MOST_BARS = 20
const BAR = 22
const LINE_HEIGHT = 220
/** Pixels until the page has said how wide the figure is, and on paper. */
const USUAL_WIDTH = 720
const SECONDS_AN_HOUR = 3600
/** Strokes by which the lines of series differ, as their bars do by hatching. */
const DASHES = [undefined, '6 4', '2 4', '10 3 2 3']
/** More series could not be told apart. */
const MOST_SERIES = 4

/** What stands for a number where there is none. */
const NOTHING = '–'

type FigureOf = NonNullable<ListScreen['figure']>

interface Mark {
  /** By which lines are ordered. */
  key: unknown
  label: string
  /** undefined: protected or unknown, which is not 0. */
  values: (number | undefined)[]
  /** Of the known values. */
  sum: number
  /** What the table says in place of a value that is not known, once each. */
  unknown: string[]
}
interface DrawingProps {
  marks: Mark[]
  width: number
  /** The fill of a series. */
  fillOf: (series: number) => string
  format: (value: number) => string
}

/** The rows of a list as bars or lines, with a sentence that says the same; the numbers themselves stand in the table. */
export default function Figure({
  figure: { as: usual, ...described },
  source,
  reply,
}: {
  figure: FigureOf
  source: string
  reply: ListReply
}) {
  const { properties } = entityOf(useContract(), source)
  // A line needs two points.
  const isLine = usual === 'line' && new Set(reply.data.map((row) => row[described.of])).size > 1
  const figure: FigureOf = { ...described, as: isLine ? 'line' : 'bars' }
  const id = useId().replaceAll(/\W/g, '')
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  const isTime = properties[figure.values[0]].fieldType === 'duration'
  const series = seriesOf(figure, reply.data, properties)
  // Time is drawn in hours, so that the marks of the axis are round.
  const unit = isTime ? SECONDS_AN_HOUR : 1
  const unordered = figure.series
    ? marksOfSeries(reply.data, figure, figure.series, series, unit)
    : reply.data.map((row) => markOf(row, figure, properties, unit))
  const marks = figure.as === 'line' ? unordered.toSorted((a, b) => compare(a.key, b.key)) : unordered
  const format = (value: number) =>
    isTime ? formatHours(value * SECONDS_AN_HOUR) : value.toLocaleString('en-GB')
  const Drawing = figure.as === 'bars' ? Bars : Lines
  const fillOf = (series: number) => `url(#${id}-${series})`
  return (
    <figure ref={box} className="figure">
      <figcaption>
        {sentenceOf(marks, figure, properties[figure.of], format, totalOf(reply, figure, unit))}
      </figcaption>
      <svg width="0" height="0" aria-hidden="true">
        <defs>
          {series.map((name, at) => (
            <Hatching key={name} id={`${id}-${at}`} series={at} />
          ))}
        </defs>
      </svg>
      <Drawing {...{ marks, width, fillOf, format }} />
      {series.length > 1 && (
        <ul className="figure-key" aria-hidden="true">
          {series.map((name, at) => (
            <li key={name}>
              <svg viewBox="0 0 28 12" aria-hidden="true">
                {figure.as === 'bars' ? (
                  <rect width="28" height="12" fill={fillOf(at)} />
                ) : (
                  <path d="M0 6H28" className={`figure-line figure-${at}`} strokeDasharray={DASHES[at]} />
                )}
              </svg>
              {name}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
}

/** What the series of the figure are called: its values, or those of a field where these are few; of many there is one. */
function seriesOf({ values, series }: FigureOf, rows: Row[], properties: Record<string, Property>): string[] {
  if (!series) return values.map((field) => properties[field].title)
  const names = [...new Set(rows.map((row) => String(row[series] ?? '')))]
  return names.length > MOST_SERIES ? [properties[values[0]].title] : names
}

/** A mark for all rows that are about the same, with a value for each of the series or one for all. */
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

/** The sum of what is known: nothing is 0, and only unknown numbers are unknown. */
function sumOf(numbers: (number | undefined)[]): number | undefined {
  const known = numbers.filter((number) => number !== undefined)
  return numbers.length > 0 && known.length === 0 ? undefined : known.reduce((all, number) => all + number, 0)
}

function markOf(
  row: Row,
  { of, values }: FigureOf,
  properties: Record<string, Property>,
  unit: number,
): Mark {
  const label = String(row[of] ?? '')
  const numbers = values.map((field) => numberOf(row[field], unit))
  return {
    key: row[of],
    label: properties[of].format === 'date' ? formatDate(label) : label,
    values: numbers,
    sum: sumOf(numbers) ?? 0,
    unknown: unknownOf(values.map((field) => row[field])),
  }
}

/** A value of a row in the unit of the figure; a protected number is a text, or nothing. */
function numberOf(value: unknown, unit: number): number | undefined {
  return typeof value === 'number' ? value / unit : undefined
}

function unknownOf(values: unknown[]): string[] {
  const unknown = values.filter((value) => typeof value !== 'number')
  return [...new Set(unknown.map((value) => String(value ?? NOTHING)))]
}

/** What stands at the end of a bar: '19', '20 and 5 or fewer', '5 or fewer'. */
function endOf({ sum, unknown }: Mark, format: (value: number) => string): string {
  return [...(sum > 0 || unknown.length === 0 ? [format(sum)] : []), ...unknown].join(' and ')
}

/** The sum below the table, which its rows may not add up to; undefined where there is none, or it is protected. */
function totalOf({ totals = {} }: ListReply, { values }: FigureOf, unit: number): number | undefined {
  const sums = values.map((field) => totals[field])
  return sums.every((sum) => typeof sum === 'number')
    ? sums.reduce((all, sum) => all + sum / unit, 0)
    : undefined
}

/** 'Avery has most: 19:15 of 64:00.' */
function sentenceOf(
  marks: Mark[],
  { as, share }: FigureOf,
  { format: isDay }: Property,
  format: (value: number) => string,
  total: number | undefined,
): string {
  const isWhole = marks.every(({ unknown }) => unknown.length === 0)
  const all = total ?? marks.reduce((sum, mark) => sum + mark.sum, 0)
  const [most] = marks.toSorted((a, b) => b.sum - a.sum)
  if (!most || most.sum === 0)
    return total || marks.some(({ unknown }) => unknown.some((words) => words !== NOTHING))
      ? 'No number is large enough to be drawn.'
      : 'Nothing in this period.'
  const who = as === 'bars' ? `${most.label} has most` : `Most ${isDay ? 'on' : 'in'} ${most.label}`
  const hidden = as === 'bars' ? marks.length - MOST_BARS : 0
  // What is not known belongs to the whole as well.
  const of = share === false || (total === undefined && !isWhole) ? '' : ` of ${format(all)}`
  return `${who}: ${format(most.sum)}${of}.${hidden > 0 ? ` The figure leaves out ${hidden} with less.` : ''}`
}

function Hatching({ id, series }: { id: string; series: number }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse">
      <rect width="6" height="6" className={series === 0 ? 'figure-0' : 'figure-ground'} />
      {series === 1 && <path d="M-1 7L7 -1M-1 1L1 -1M5 7L7 5" className="figure-1" strokeWidth="2" />}
      {series === 2 && <circle cx="3" cy="3" r="1.5" className="figure-2" />}
      {series === 3 && <path d="M0 3H6" className="figure-3" strokeWidth="2" />}
    </pattern>
  )
}

/** A bar a row, the longest first; series stand behind each other. */
function Bars({ marks, width, fillOf, format }: DrawingProps) {
  const shown = marks.toSorted((a, b) => b.sum - a.sum).slice(0, MOST_BARS)
  const names = Math.min(180, width / 3)
  const room = 8 + 7 * Math.max(8, ...shown.map((mark) => endOf(mark, format).length))
  const y = scaleBand(shown.keys(), [0, shown.length * BAR]).padding(0.25)
  const x = scaleLinear([0, Math.max(1e-9, ...shown.map(({ sum }) => sum))], [names + 8, width - room])
  return (
    <svg viewBox={`0 0 ${width} ${shown.length * BAR}`} aria-hidden="true">
      {shown.map((mark, i) => {
        const { label, values, sum } = mark
        const middle = y(i)! + y.bandwidth() / 2
        const known = values.map((value) => value ?? 0)
        return (
          <g key={`${i} ${label}`}>
            <text x={names} y={middle} dy="0.35em" textAnchor="end">
              {shortened(label, names / 7)}
            </text>
            {known.map((value, series) => {
              const from = known.slice(0, series).reduce((a, b) => a + b, 0)
              const [left, right] = [x(from), x(from + value)]
              const at = { x: left, y: y(i), width: right - left, height: y.bandwidth() }
              return <rect key={series} {...at} fill={fillOf(series)} />
            })}
            <text x={x(sum) + 6} y={middle} dy="0.35em">
              {endOf(mark, format)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

/** A line a series along the rows. */
function Lines({ marks, width, format }: DrawingProps) {
  const top = Math.max(1, ...marks.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const y = scaleLinear([0, top], [LINE_HEIGHT - 24, 10]).nice(4)
  const x = scalePoint(marks.keys(), [56, width - 40])
  const every = Math.max(1, Math.ceil((marks.length * 90) / (width - 96)))
  return (
    <svg viewBox={`0 0 ${width} ${LINE_HEIGHT}`} aria-hidden="true">
      {y.ticks(4).map((tick) => (
        <g key={tick} className="figure-axis" transform={`translate(0 ${y(tick)})`}>
          <line x1="56" x2={width - 8} />
          <text x="48" dy="0.35em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {marks.map(({ label }, i) =>
        i % every === 0 ? (
          <text key={`${i} ${label}`} x={x(i)} y={LINE_HEIGHT - 6} textAnchor="middle">
            {label.replace(/ \d{4}$/, '')}
          </text>
        ) : null,
      )}
      {marks[0].values.map((_, series) => {
        // The line has a gap where a value is not known.
        const path = line<Mark>(
          (_mark, i) => x(i)!,
          ({ values }) => y(values[series]!),
        ).defined(({ values }) => values[series] !== undefined)(marks)!
        const className = `figure-line figure-${series}`
        return <path key={series} d={path} className={className} strokeDasharray={DASHES[series]} />
      })}
    </svg>
  )
}

function compare(a: unknown, b: unknown): number {
  return String(a).localeCompare(String(b), 'en', { numeric: true })
}

function shortened(label: string, most: number): string {
  return label.length > most ? `${label.slice(0, Math.max(1, most - 1))}…` : label
}

/** How many pixels wide an element is, so that its text has the size of the page's. */
function useWidth(ref: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(USUAL_WIDTH)
  useEffect(() => {
    if (!ref.current || !('ResizeObserver' in window)) return
    const observer = new ResizeObserver(([{ contentRect }]) =>
      setWidth(Math.max(240, Math.round(contentRect.width))),
    )
    observer.observe(ref.current)
    return () => observer.disconnect()
  }, [ref])
  return width
}

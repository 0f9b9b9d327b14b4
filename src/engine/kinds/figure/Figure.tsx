import { scaleBand, scaleLinear, scalePoint } from 'd3-scale'
import { line } from 'd3-shape'
import { useEffect, useId, useRef, useState } from 'react'
import { countsSeconds } from '../../../contract/fieldTypes.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { formatDuration } from '../../cells/durationFormat.ts'
import { useContract } from '../../core/contract.ts'
import { formatDate } from '../../core/dates.ts'
import { entityOf } from '../../core/entityOf.ts'
import type { ListReply } from '../../core/results.ts'
import { BAR, LINE_HEIGHT, MAX_BARS } from './figureHeight.ts'
import {
  endOf,
  type FigureOf,
  type Mark,
  marksOf,
  sentenceOf,
  seriesOf,
  totalOf,
  withoutIdleDays,
} from './figureMarks.ts'

/** Width in pixels until the figure is measured, and in print. */
const DEFAULT_WIDTH = 720
const SECONDS_AN_HOUR = 3600
/** Dash patterns that distinguish the lines of series, as hatching distinguishes their bars. */
const DASHES = [undefined, '6 4', '2 4', '10 3 2 3']

interface DrawingProps {
  marks: Mark[]
  width: number
  fillOf: (series: number) => string
  format: (value: number) => string
}

/** A chart of a list's rows as bars or lines, with a sentence that summarises it; the table has the numbers. */
export default function Figure({
  figure: { as: usual, ...described },
  source,
  columns,
  reply,
}: {
  figure: FigureOf
  source: string
  /** Columns of the table, whose date format the figure uses. */
  columns: RenderedColumn[]
  reply: ListReply
}) {
  const { properties } = entityOf(useContract(), source)
  // A line needs two points.
  const isLine = usual === 'line' && new Set(reply.data.map((row) => row[described.of])).size > 1
  const figure: FigureOf = { ...described, as: isLine ? 'line' : 'bars' }
  const id = useId().replaceAll(/\W/g, '')
  const box = useRef<HTMLElement>(null)
  const width = useWidth(box)
  const isTime = countsSeconds(properties[figure.values[0]].fieldType)
  const isByDay = properties[figure.of].format === 'date'
  const series = seriesOf(figure, reply.data, properties)
  // Durations are in hours, so that the ticks of the axis are round numbers.
  const unit = isTime ? SECONDS_AN_HOUR : 1
  const wordsOf = (field: string | undefined) =>
    columns.some((column) => column.field === field && column.as === 'date') ? formatDate : String
  const marks = marksOf(reply.data, figure, { series, unit, wordsOf: wordsOf(figure.of) })
  const format = (value: number) =>
    isTime ? formatDuration(value * SECONDS_AN_HOUR) : value.toLocaleString('en-GB')
  const Drawing = figure.as === 'bars' ? Bars : Lines
  const fillOf = (series: number) => `url(#${id}-${series})`
  return (
    <figure ref={box} className="figure">
      <figcaption>{sentenceOf(marks, figure, properties, format, totalOf(reply, figure, unit))}</figcaption>
      <svg width="0" height="0" aria-hidden="true">
        <defs>
          {series.map((name, at) => (
            <Hatching key={name} id={`${id}-${at}`} series={at} />
          ))}
        </defs>
      </svg>
      <Drawing marks={isLine && isByDay ? withoutIdleDays(marks) : marks} {...{ width, fillOf, format }} />
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
              {wordsOf(figure.series)(name)}
            </li>
          ))}
        </ul>
      )}
    </figure>
  )
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

/** One bar per row, longest first, with the series stacked. */
function Bars({ marks, width, fillOf, format }: DrawingProps) {
  const visible = marks.toSorted((a, b) => b.sum - a.sum).slice(0, MAX_BARS)
  const names = Math.min(180, width / 3)
  const room = 8 + 7 * Math.max(8, ...visible.map((mark) => endOf(mark, format).length))
  const y = scaleBand(visible.keys(), [0, visible.length * BAR]).padding(0.25)
  const x = scaleLinear([0, Math.max(1e-9, ...visible.map(({ sum }) => sum))], [names + 8, width - room])
  return (
    <svg viewBox={`0 0 ${width} ${visible.length * BAR}`} height={visible.length * BAR} aria-hidden="true">
      {visible.map((mark, i) => {
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

/** One line per series along the rows. */
function Lines({ marks, width, format }: DrawingProps) {
  const top = Math.max(1, ...marks.flatMap(({ values }) => values.map((value) => value ?? 0)))
  const y = scaleLinear([0, top], [LINE_HEIGHT - 24, 10]).nice(4)
  const labels = axisLabels(marks)
  const room = 18 + 8 * Math.max(...labels.map(({ length }) => length))
  // Leave room for half of the last label to the right of its point.
  const x = scalePoint(marks.keys(), [56, width - Math.max(40, room / 2)])
  const every = Math.max(1, Math.ceil((marks.length * room) / (width - 96)))
  return (
    <svg viewBox={`0 0 ${width} ${LINE_HEIGHT}`} height={LINE_HEIGHT} aria-hidden="true">
      {y.ticks(4).map((tick) => (
        <g key={tick} className="figure-axis" transform={`translate(0 ${y(tick)})`}>
          <line x1="56" x2={width - 8} />
          <text x="48" dy="0.35em" textAnchor="end">
            {format(tick)}
          </text>
        </g>
      ))}
      {labels.map((label, i) =>
        i % every === 0 ? (
          <text key={`${i} ${label}`} x={x(i)} y={LINE_HEIGHT - 6} textAnchor="middle">
            {label}
          </text>
        ) : null,
      )}
      {marks[0].values.map((_, series) => {
        // The line has a gap where a value is not known, or nothing was done.
        const path = line<Mark>(
          (_mark, i) => x(i)!,
          ({ values }) => y(values[series]!),
        ).defined(({ values }) => values[series] !== undefined)(marks)!
        const className = `figure-line figure-${series}`
        return (
          <g key={series}>
            <path d={path} className={className} strokeDasharray={DASHES[series]} />
            {marks.map(({ label, values }, i) =>
              values[series] !== undefined && isAlone(marks, i, series) ? (
                <circle key={label} cx={x(i)} cy={y(values[series])} r="3" className={pointOf(series)} />
              ) : null,
            )}
          </g>
        )
      })}
    </svg>
  )
}

/** Every second series has rings instead of discs, for those who cannot tell its colour. */
const pointOf = (series: number) => (series % 2 === 1 ? `figure-line figure-${series}` : `figure-${series}`)

/** True for a point between two gaps, which no line leads to. */
function isAlone(marks: Mark[], at: number, series: number): boolean {
  return [at - 1, at + 1].every((beside) => marks[beside]?.values[series] === undefined)
}

/** The labels of the points, without the year if it is the same for all. */
function axisLabels(marks: Mark[]): string[] {
  const labels = marks.map(({ label }) => label)
  const years = new Set(labels.map((label) => label.match(/ \d{4}$/)?.[0]))
  return years.size === 1 ? labels.map((label) => label.replace(/ \d{4}$/, '')) : labels
}

function shortened(label: string, most: number): string {
  return label.length > most ? `${label.slice(0, Math.max(1, most - 1))}…` : label
}

/** Width of an element in pixels, so that the text in it has the font size of the page. */
function useWidth(ref: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(DEFAULT_WIDTH)
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

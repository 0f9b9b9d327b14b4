import type { Dimension, Facts, Measure } from '../../contract/generated.ts'
import type { Call } from '../call.ts'
import type { Row } from '../db.ts'
import type { Period } from '../report.ts'
import type { Group } from './labels.ts'

type Part = NonNullable<Dimension['each']>

/** The parts of a year that a day lies in, written as the views of facts write them. */
const PART: Record<Part, (year: string, month: number) => string> = {
  month: (year, month) => `${year}-${String(month).padStart(2, '0')}`,
  quarter: (year, month) => `${year} Q${Math.ceil(month / 3)}`,
  year: (year) => year,
}

/** The groups with those months, quarters or years of the period of which there is no row, where they are what is counted by. */
export function fillGaps(
  { query }: Call,
  { dimensions, measures: known }: Facts,
  { by, measures, period }: { by: string[]; measures: string[]; period: Period },
  groups: Group[],
): Group[] {
  const { each } = dimensions[by[0]]
  const isNarrowed = Object.keys(dimensions).some(
    (name) => dimensions[name].each && query[name] !== undefined,
  )
  if (!each || by.length > 1 || isNarrowed) return groups
  const found = new Set(groups.map(({ values }) => values[0]))
  const empty = Object.fromEntries(measures.map((name) => [name, ofNoRows(known[name])]))
  const missing = partsOf(period, each).filter((part) => !found.has(part))
  return [...groups, ...missing.map((part) => ({ values: [part], numbers: empty as Row }))]
}

function ofNoRows({ average }: Measure): number | null {
  return average ? null : 0
}

function partsOf({ start, end }: Period, each: Part): string[] {
  const [year, month] = start.split('-').map(Number)
  const [lastYear, lastMonth] = end.split('-').map(Number)
  const months = (lastYear - year) * 12 + lastMonth - month + 1
  const parts = Array.from({ length: months }, (_, i) => {
    const at = month - 1 + i
    return PART[each](String(year + Math.floor(at / 12)), (at % 12) + 1)
  })
  return [...new Set(parts)]
}

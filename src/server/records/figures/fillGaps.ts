import type { Dimension, Facts, Measure } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import type { Row } from '../../core/db.ts'
import type { Period } from '../../core/today.ts'
import type { Group } from './labels.ts'

type Part = NonNullable<Dimension['each']>

/** Formats the part of a year as the SQL views of facts do. */
const PART: Record<Part, (year: string, month: number) => string> = {
  month: (year, month) => `${year}-${String(month).padStart(2, '0')}`,
  quarter: (year, month) => `${year} Q${Math.ceil(month / 3)}`,
  year: (year) => year,
}

/** True if the groups include all months, quarters or years of the period, even those without rows. */
export function listsEveryGroup({ query }: Call, { dimensions }: Facts, by: string[]): boolean {
  const isNarrowed = Object.keys(dimensions).some(
    (name) => dimensions[name].each && query[name] !== undefined,
  )
  return by.length === 1 && dimensions[by[0]].each !== undefined && !isNarrowed
}

/** If the groups are months, quarters or years, adds those of the period that have no rows. */
export function fillGaps(
  call: Call,
  facts: Facts,
  { by, measures, period }: { by: string[]; measures: string[]; period: Period },
  groups: Group[],
): Group[] {
  if (!listsEveryGroup(call, facts, by)) return groups
  const each = facts.dimensions[by[0]].each!
  const found = new Set(groups.map(({ values }) => values[0]))
  const empty = Object.fromEntries(measures.map((name) => [name, ofNoRows(facts.measures[name])]))
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

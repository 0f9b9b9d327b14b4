import { deathOf, formatLifespan } from '../../contract/lifespan.ts'
import { formatDate } from '../core/dates.ts'
import { today } from '../core/today.ts'
import type { CellProps } from './cell.ts'

/** 4 June 1950 (76), or 7 May 1931 – 3 June 2026, died at 95: a date of birth and the age today or at death. */
export function AgeCell({ value, property, row }: CellProps) {
  return formatLifespan({ born: value, died: deathOf(property, row), today: today(), formatDate })
}

import { today } from '../runtime/today.ts'
import type { CellProps } from './cell.ts'
import { formatDate } from './dates.ts'

/** 4 June 1950 (76): a date of birth and the age today. */
export function AgeCell({ value }: CellProps) {
  if (!value) return null
  const day = String(value)
  return (
    <>
      <time dateTime={day}>{formatDate(day)}</time> ({ageOn(today(), day)})
    </>
  )
}

/** Whole years from one day to another, both YYYY-MM-DD. */
export function ageOn(day: string, born: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return day.slice(5) < born.slice(5, 10) ? years - 1 : years
}

import { writtenDate, writtenDuration } from './cellDates.ts'

/** A cell that cannot be used: the reason, and its value. */
export interface WrongCell {
  wrong: string
  value: string | number | null
}
/** A cell of a sheet; empty ones are null. */
export type SheetCell = string | number | boolean | null | WrongCell
/** A number that the workbook formats as a date, or as a time or duration: days, in a text it has none of these. */
export type ReadCell = SheetCell | { date: number } | { time: number }

/** Numbers of 16 digits and more are rounded by Excel. */
const FIRST_ROUNDED = 1e15
const SCIENTIFIC = /^[+-]?\d(?:\.\d+)?E\+\d{1,3}$/i

/** A cell with dates and times in writing, and an error instead of a number that has lost digits. */
export function writtenCell(cell: ReadCell, date1904: boolean): SheetCell {
  if (typeof cell === 'number' && Math.abs(cell) >= FIRST_ROUNDED)
    return { wrong: 'has more digits than Excel keeps in a number: type it again as text', value: cell }
  if (typeof cell === 'string' && SCIENTIFIC.test(cell.trim()))
    return {
      wrong: 'was shortened when the file was saved: show all its digits, and save it again',
      value: cell,
    }
  if (cell === null || typeof cell !== 'object' || 'wrong' in cell) return cell
  const written = 'date' in cell ? writtenDate(cell.date, date1904) : writtenDuration(cell.time)
  return (
    written ?? { wrong: 'is not a date that Excel can show', value: 'date' in cell ? cell.date : cell.time }
  )
}
/** Statements that define `formatted`, which marks the number of a cell as a date or time; for code in a thread. */
export const FORMATTED_CODE = `
const kinds = new Map()
function kindOf(format) {
  if (typeof format !== 'string' || !xlsx.SSF.is_date(format)) return undefined
  // Without quoted texts, durations such as [h], and escaped characters, only dates have days or years.
  const codes = format.replace(/"[^"]*"|\\[[^\\]]*\\]|\\\\.|[_*]./g, '').split(';')[0]
  return /[dy]/i.test(codes) ? 'date' : 'time'
}
function formatted(cell) {
  if (!kinds.has(cell.z)) kinds.set(cell.z, kindOf(cell.z))
  const kind = kinds.get(cell.z)
  return kind ? { [kind]: cell.v } : cell.v
}
`

import { daysBetween } from '../../../contract/days.ts'
import { countsSeconds, FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { ruleError } from '../../../contract/rules.ts'
import { isMonthFirst, swapDayAndMonth, writtenDate, writtenDuration } from '../../records/files/cellDates.ts'
import type { SheetCell } from '../../records/files/writtenCell.ts'

/** Cells of a column that may mean two things: their number, and the first of them. */
export interface Finding {
  count: number
  row: number
  example: string
}
export type ColumnKind = 'zero' | 'nhs_zero' | 'year' | 'serial' | 'month_first' | 'hours'

interface ColumnQuestion {
  /** True if the question is asked where this is the field of the column. */
  isFor: (field: Field) => boolean
  finds: (cell: string | number) => boolean
  label: (heading: string, example: string, count: number) => string
  options: (example: string) => Record<string, string>
  /** The meaning of a cell that was found, by the value of the answer; other answers leave it as it is. */
  apply: (cell: string | number, answer: string) => SheetCell
}

const isDated = ({ type }: Field) => FIELD_TYPES[type].calendar !== undefined
const isNumber = (cell: string | number) => typeof cell === 'number' || /^\d{1,7}(\.\d+)?$/.test(cell.trim())
const digitsOf = (cell: string | number) => String(cell).replaceAll(/[\s()./-]/g, '')
const inBritain = (day = '') => day.slice(0, 10).split('-').reverse().join('/')
const cells = (count: number) => (count === 1 ? '1 cell' : `${count.toLocaleString('en-GB')} cells`)
const WRONG = 'mark as wrong, to be corrected'

/** A year that was typed where Excel expects a date is the day of that number, from 14 March to 30 September 1905. */
const isYear = (cell: string | number) =>
  isNumber(cell)
    ? Number(cell) >= 1900 && Number(cell) <= 2100 && Number.isInteger(Number(cell))
    : yearOf(cell) !== undefined
const [FIRST_YEAR, LAST_YEAR] = [writtenDate(1900)!, writtenDate(2100)!]
function yearOf(cell: string | number): number | undefined {
  const day = String(cell)
  if (day.length !== 10 || day < FIRST_YEAR || day > LAST_YEAR) return undefined
  return 1900 + daysBetween(FIRST_YEAR, day)
}

const putZero = (cell: string | number, answer: string) =>
  answer === 'add' ? `0${String(cell).trim()}` : cell
const ZERO_OPTIONS = (example: string) => ({
  add: `Put 0 in front: 0${example}`,
  keep: `Leave them as they are: ${example}`,
})

export const COLUMN_QUESTIONS: Record<ColumnKind, ColumnQuestion> = {
  zero: {
    isFor: ({ type }) => FIELD_TYPES[type].isPhone === true,
    finds: (cell) => /^[1-9]\d{8,9}$/.test(digitsOf(cell)),
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} without 0 at the beginning, such as ${example}. Put it back?`,
    options: ZERO_OPTIONS,
    apply: putZero,
  },
  nhs_zero: {
    isFor: ({ attrs }) => attrs?.rules?.includes('nhs_number') === true,
    finds: (cell) => /^\d{9}$/.test(digitsOf(cell)) && isNhsNumber(`0${digitsOf(cell)}`),
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} with nine digits, such as ${example}. Put a 0 in front?`,
    options: ZERO_OPTIONS,
    apply: putZero,
  },
  year: {
    isFor: isDated,
    finds: isYear,
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} may be a year, such as ${example}. What is meant?`,
    options: (example) => ({
      wrong: `A year: ${WRONG}`,
      empty: 'A year: leave the date empty',
      serial: `A date: ${inBritain(isNumber(example) ? writtenDate(Number(example)) : example)}`,
    }),
    apply: (cell, answer) => {
      if (answer === 'empty') return null
      if (answer === 'wrong') return { wrong: 'is a year, not a date', value: yearOf(cell) ?? cell }
      return isNumber(cell) ? (writtenDate(Number(cell)) ?? cell) : cell
    },
  },
  serial: {
    isFor: isDated,
    finds: (cell) => isNumber(cell) && !isYear(cell) && writtenDate(Number(cell)) !== undefined,
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} with a number instead of a date, such as ${example}. What is meant?`,
    options: (example) => ({
      wrong: `No date: ${WRONG}`,
      serial: `A date as Excel counts days: ${inBritain(writtenDate(Number(example)))}`,
      serial1904: `A date as an old Excel for Mac counts days: ${inBritain(writtenDate(Number(example), true))}`,
    }),
    apply: (cell, answer) =>
      answer === 'wrong'
        ? { wrong: 'is a number, not a date', value: cell }
        : (writtenDate(Number(cell), answer === 'serial1904') ?? cell),
  },
  month_first: {
    isFor: isDated,
    finds: (cell) => typeof cell === 'string' && isMonthFirst(cell),
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} with the month first, such as ${example}. How are the dates of this column written?`,
    options: () => ({
      month: 'All have the month first: 04/06/1950 is 6 April 1950',
      day: 'The others have the day first: 04/06/1950 is 4 June 1950',
    }),
    // Applied to all cells of the column, not only to those that can be nothing else.
    apply: (cell, answer) =>
      answer === 'month' || isMonthFirst(String(cell)) ? swapDayAndMonth(String(cell)) : cell,
  },
  hours: {
    isFor: ({ type }) => countsSeconds(type),
    finds: isNumber,
    label: (heading, example, count) =>
      `${cells(count)} of ${heading} with a number instead of hours and minutes, such as ${example}. What is meant?`,
    options: (example) => ({
      hours: `Hours: ${writtenDuration(Number(example) / 24)}`,
      minutes: `Minutes: ${writtenDuration(Number(example) / (24 * 60))}`,
      wrong: `Neither: ${WRONG}`,
    }),
    apply: (cell, answer) =>
      answer === 'wrong'
        ? { wrong: 'is a number, not hours and minutes', value: cell }
        : (writtenDuration(Number(cell) / (answer === 'hours' ? 24 : 24 * 60)) ?? cell),
  },
}
export const COLUMN_KINDS = Object.keys(COLUMN_QUESTIONS) as ColumnKind[]

/** Adds what is unclear in the cells of a row to the findings by column. */
export function findUnclear(
  found: Record<string, Partial<Record<ColumnKind, Finding>>>,
  row: number,
  cells: SheetCell[],
): void {
  for (const [i, cell] of cells.entries()) {
    if (typeof cell !== 'string' && typeof cell !== 'number') continue
    // Only numbers and texts that are mostly digits can be unclear.
    if (typeof cell === 'string' && (cell.length > MAX_UNCLEAR_LENGTH || !/^\s*[\d(]/.test(cell))) continue
    for (const kind of COLUMN_KINDS) {
      if (!COLUMN_QUESTIONS[kind].finds(cell)) continue
      const column = found[i] ?? {}
      found[i] = column
      const finding = column[kind] ?? { count: 0, row, example: String(cell).trim() }
      column[kind] = { ...finding, count: finding.count + 1 }
    }
  }
}
const MAX_UNCLEAR_LENGTH = 30

export function meaningOf(
  cell: SheetCell,
  field: Field,
  answerOf: (kind: ColumnKind) => string | undefined,
): SheetCell {
  let meaning = cell
  for (const kind of COLUMN_KINDS) {
    const { isFor, finds, apply } = COLUMN_QUESTIONS[kind]
    const answer = answerOf(kind)
    if (answer === undefined || !isFor(field)) continue
    if (typeof meaning !== 'string' && typeof meaning !== 'number') continue
    if (kind === 'month_first' || finds(meaning)) meaning = apply(meaning, answer)
  }
  return meaning
}

function isNhsNumber(text: string): boolean {
  return ruleError('nhs_number', text, { today: '', answers: {} }) === undefined
}

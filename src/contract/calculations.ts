import Big from 'big.js'
import {
  addBusinessDays,
  addDays,
  differenceInCalendarDays,
  differenceInYears,
  format,
  isValid,
  parseISO,
} from 'date-fns'
import { addMonths, formatDay, isRealDay, monthInWords, weekdayOf } from './days.ts'
import type { CalculationName, ChooseRow, Field, Option } from './generated.ts'
import { isSet } from './when.ts'
import { addWorkingDays, type Holidays } from './workingDays.ts'

/** Argument of a calculation: a field's name, `field.column` for all rows of a repeat, `$today`, a number or a text. */
export type Argument = string | number | { text: string }

/** A function and its arguments. */
export interface Formula {
  calc: CalculationName
  of: Argument[]
  /** The rows of 'choose', whose values and conditions take the place of arguments. */
  choose?: ChooseRow[]
}

/** The value at a path ('$client.postcode', '$other_field'). */
interface Prefill {
  from: string
  calc?: undefined
}

/** A default that is derived from other values. */
export type ComputedDefault = Prefill | Formula

/** Argument that stands for today's date. */
export const TODAY = '$today'

/** Value of an argument; `field` is the field that it answers. */
export interface Operand {
  value?: unknown
  field?: Field
  /** A literal text between two parts of a joined text. */
  isSeparator?: boolean
}

/** Kinds of parameters and results; a 'value' is any that can be written into a calculation or is that of a field. */
export type Kind = 'number' | 'date' | 'amount' | 'text' | 'choice' | 'any' | 'dateFormat' | 'rows' | 'value'

interface Calculation {
  /** Name in the constructor, and a short description. */
  title: string
  about: string
  takes: Kind[]
  gives: Kind
  /** Fewest and most arguments. */
  least: number
  most: number
  /** An argument may be a column of a repeat: one operand per row. */
  takesRows?: true
  /** `holidays` are set for a calculation with a calendar. */
  run: (operands: Operand[], holidays?: Holidays) => Big | string | unknown[] | undefined
}

const MANY = 50

/** The functions of calculated fields in the order in which administrators see them. */
export const CALCULATIONS: Record<CalculationName, Calculation> = {
  sum: {
    title: 'Sum',
    about: 'All that are answered, added up',
    ...many('number'),
    run: sumOf,
  },
  count: {
    title: 'Number of answers',
    about: 'How many are answered; of a repeat its rows, of several choices those that are chosen',
    ...many('any'),
    gives: 'number',
    run: (operands) => new Big(operands.reduce((n, { value }) => n + countOf(value), 0)),
  },
  min: {
    title: 'Smallest',
    about: 'The smallest number or earliest date',
    ...many('amount'),
    run: (all) => most(all, -1),
  },
  max: {
    title: 'Largest',
    about: 'The largest number or latest date',
    ...many('amount'),
    run: (all) => most(all, 1),
  },
  add: {
    title: 'Add',
    about: 'Added up once all are answered',
    ...several('number'),
    run: (operands) => allNumbers(operands, (a, b) => a.plus(b)),
  },
  subtract: {
    title: 'Subtract',
    about: 'The first less the others',
    ...several('number'),
    run: (operands) => allNumbers(operands, (a, b) => a.minus(b)),
  },
  multiply: {
    title: 'Multiply',
    about: 'Multiplied once all are answered',
    ...several('number'),
    run: (operands) => allNumbers(operands, (a, b) => a.times(b)),
  },
  divide: {
    title: 'Divide',
    about: 'The first by the second',
    ...pair('number', 'number'),
    gives: 'number',
    run: (operands) => allNumbers(operands, (a, b) => (b.eq(0) ? undefined : a.div(b))),
  },
  round: {
    title: 'Round',
    about: 'The first to as many decimal places as the second says; 0 without it',
    takes: ['number', 'number'],
    gives: 'number',
    least: 1,
    most: 2,
    run: ([of, places]) =>
      numberOf(of.value)?.round(
        Math.min(6, Math.max(0, integerOf(places?.value ?? 0) ?? 0)),
        Big.roundHalfUp,
      ),
  },
  days_between: {
    title: 'Days between',
    about: 'From the first date to the second',
    ...pair('date', 'date'),
    gives: 'number',
    run: ([from, to]) => onDays(from, to, (a, b) => new Big(differenceInCalendarDays(b, a))),
  },
  add_days: {
    title: 'Date and days',
    about: 'So many days after a date',
    ...pair('date', 'number'),
    gives: 'date',
    run: ([from, days]) => later(from, days, addDays),
  },
  add_working_days: {
    title: 'Date and working days',
    about: 'So many days from Monday to Friday after a date, with or without bank holidays',
    ...pair('date', 'number'),
    gives: 'date',
    run: ([from, days], holidays) =>
      holidays ? laterWorkingDay(from, days, holidays) : later(from, days, addBusinessDays),
  },
  age_at: {
    title: 'Age at a date',
    about: 'Full years from the first date to the second',
    ...pair('date', 'date'),
    gives: 'number',
    run: ([from, to]) => onDays(from, to, (a, b) => (b < a ? undefined : new Big(differenceInYears(b, a)))),
  },
  months_between: {
    title: 'Months between',
    about: 'Full months from the first date to the second',
    ...pair('date', 'date'),
    gives: 'number',
    run: ([from, to]) => monthsBetween(from.value, to.value),
  },
  modulo: {
    title: 'Remainder',
    about: 'What is left of the first after dividing it by the second',
    ...pair('number', 'number'),
    gives: 'number',
    run: (operands) => allNumbers(operands, remainder),
  },
  floor: {
    title: 'Round down',
    about: 'The largest whole number that is not more',
    takes: ['number'],
    gives: 'number',
    least: 1,
    most: 1,
    run: ([of]) => {
      const number = numberOf(of.value)
      return number?.minus(remainder(number, new Big(1))!)
    },
  },
  score: {
    title: 'Score',
    about: 'The weights of the chosen choices, added up',
    ...many('choice'),
    gives: 'number',
    run: (operands) =>
      total(operands.flatMap((one) => chosen(one).map(({ weight }) => new Big(weight ?? 0)))),
  },
  choice_label: {
    title: 'Text of a choice',
    about: 'What the chosen choice is called',
    takes: ['choice'],
    gives: 'text',
    least: 1,
    most: 1,
    run: ([of]) => textOf(of),
  },
  choice_value: {
    title: 'Stored value of a choice',
    about: 'What the chosen choice is stored as',
    takes: ['choice'],
    gives: 'text',
    least: 1,
    most: 1,
    run: ([of]) =>
      chosen(of)
        .map(({ value }) => value)
        .join(', ') || undefined,
  },
  format_date: {
    title: 'Date in words',
    about: 'A date as a text, such as Monday 4 May 2026',
    ...pair('date', 'dateFormat'),
    gives: 'text',
    run: ([of, { value: format }]) =>
      isRealDay(String(of.value)) && isDateFormat(format)
        ? DATE_FORMATS[format].write(of.value as string)
        : undefined,
  },
  join_text: {
    title: 'Joined texts',
    about: 'One after the other; a text of your own stands only between two that are answered',
    ...many('text'),
    run: joined,
  },
  first_set: {
    title: 'First that is answered',
    about: 'The first answer there is',
    ...many('any'),
    gives: 'any',
    run: (operands) => operands.find(({ value }) => isSet(value))?.value as string | undefined,
  },
  count_rows: {
    title: 'Number of rows',
    about: 'In how many rows a condition holds',
    takes: ['rows'],
    gives: 'number',
    least: 1,
    most: 1,
    run: ([of]) => new Big(countOf(of.value)),
  },
  choose: {
    title: 'By conditions',
    about: 'The value of the first condition that holds, otherwise another one',
    takes: [],
    gives: 'value',
    least: 0,
    most: 0,
    run: ([of]) => of?.value as string | undefined,
  },
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

interface DateFormat {
  title: string
  write: (day: string) => string
}

/** How 'format_date' writes a date. */
export const DATE_FORMATS = {
  day: { title: '4 May 2026', write: formatDay },
  weekday: {
    title: 'Monday 4 May 2026',
    write: (day) => `${WEEKDAYS[weekdayOf(day) - 1]} ${formatDay(day)}`,
  },
  month: { title: 'May 2026', write: (day) => monthInWords(day.slice(0, 7)) ?? '' },
  year: { title: '2026', write: (day) => day.slice(0, 4) },
  numbers: { title: '04/05/2026', write: (day) => day.split('-').reverse().join('/') },
} satisfies Record<string, DateFormat>

export function isDateFormat(format: unknown): format is keyof typeof DATE_FORMATS {
  return typeof format === 'string' && Object.hasOwn(DATE_FORMATS, format)
}

function many(kind: Kind) {
  return { ...several(kind), least: 1, takesRows: true as const }
}

function several(kind: Kind) {
  return { takes: [kind], gives: kind, least: 2, most: MANY }
}

function pair(first: Kind, second: Kind) {
  return { takes: [first, second], least: 2, most: 2 }
}

/** Converts a value to a number for arithmetic; undefined if it is not one, such as a half-typed text. */
export function numberOf(value: unknown): Big | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? new Big(value) : undefined
  return typeof value === 'string' && /^-?\d{1,20}(\.\d{1,20})?$/.test(value) ? new Big(value) : undefined
}

function integerOf(value: unknown): number | undefined {
  const number = numberOf(value)
  return number && Number(number.round(0, Big.roundDown))
}

function answeredNumbers(operands: Operand[]): Big[] {
  return operands.flatMap(({ value }) => numberOf(value) ?? [])
}

function total(numbers: Big[]): Big | undefined {
  return numbers.length > 0 ? numbers.reduce((sum, one) => sum.plus(one)) : undefined
}

/** The sum of the numbers among values; whole ones, which are the most, are added up without decimal arithmetic. */
function sumOf(operands: Operand[]): Big | undefined {
  let whole = 0
  let others: Big | undefined
  let isAnswered = false
  for (const { value } of operands) {
    if (Number.isSafeInteger(value) && Number.isSafeInteger(whole + (value as number))) {
      whole += value as number
      isAnswered = true
      continue
    }
    const number = numberOf(value)
    if (number) others = others ? others.plus(number) : number
  }
  if (!others) return isAnswered ? new Big(whole) : undefined
  return others.plus(whole)
}

function allNumbers(operands: Operand[], how: (a: Big, b: Big) => Big | undefined): Big | undefined {
  const numbers = answeredNumbers(operands)
  if (numbers.length < operands.length) return undefined
  return numbers.slice(1).reduce<Big | undefined>((result, one) => result && how(result, one), numbers[0])
}

function countOf(value: unknown): number {
  return Array.isArray(value) ? value.length : Number(isSet(value))
}

/** The largest (1) or smallest (-1) of the numbers or dates that are answered. */
function most(operands: Operand[], sign: 1 | -1): Big | string | undefined {
  const days = operands.flatMap(({ value }) => (dayOf(value) ? (value as string) : []))
  if (days.length > 0) return days.reduce((best, one) => (one > best === sign > 0 ? one : best))
  const numbers = answeredNumbers(operands)
  return numbers.length > 0 ? numbers.reduce((best, one) => (one.cmp(best) === sign ? one : best)) : undefined
}

/** Parses YYYY-MM-DD to midnight in local time; undefined for anything else. */
function dayOf(value: unknown): Date | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return undefined
  const day = parseISO(value)
  return isValid(day) ? day : undefined
}

function onDays<T>(from: Operand, to: Operand, how: (a: Date, b: Date) => T): T | undefined {
  const [a, b] = [dayOf(from.value), dayOf(to.value)]
  return a && b && how(a, b)
}

/** Full months from one day to another, negative to an earlier one; from 31 January to 28 February it is one. */
function monthsBetween(from: unknown, to: unknown): Big | undefined {
  if (!isRealDay(String(from)) || !isRealDay(String(to))) return undefined
  const [earlier, later] = [String(from), String(to)].toSorted()
  const [[year, month], [lastYear, lastMonth]] = [earlier, later].map((day) => day.split('-').map(Number))
  const months = (lastYear - year) * 12 + lastMonth - month
  const full = addMonths(earlier, months) <= later ? months : months - 1
  return new Big(from === later && full > 0 ? -full : full)
}

/** What is left after a division, with the sign of the divisor; undefined for a division by 0. */
function remainder(number: Big, by: Big): Big | undefined {
  if (by.eq(0)) return undefined
  const left = number.mod(by)
  return left.eq(0) || left.gt(0) === by.gt(0) ? left : left.plus(by)
}

const MOST_DAYS = 100_000

function later(from: Operand, by: Operand, how: (day: Date, days: number) => Date): string | undefined {
  const [day, days] = [dayOf(from.value), integerOf(by.value)]
  if (!day || days === undefined || Math.abs(days) > MOST_DAYS) return undefined
  const result = how(day, days)
  return result.getFullYear() > 0 && result.getFullYear() < 10000 ? format(result, 'yyyy-MM-dd') : undefined
}

/** A working day after or before a date by a calendar; undefined outside of the years 1 to 9999. */
function laterWorkingDay(from: Operand, by: Operand, holidays: Holidays): string | undefined {
  const days = integerOf(by.value)
  if (!dayOf(from.value) || days === undefined || Math.abs(days) > MOST_DAYS) return undefined
  const day = from.value as string
  const year = Number(day.slice(0, 4)) + days / FEWEST_WORKING_DAYS
  return year >= 1 && year < 9999 ? addWorkingDays(day, days, holidays) : undefined
}

/** Fewest working days of a year, with room for its bank holidays. */
const FEWEST_WORKING_DAYS = 200

const optionsByValue = new WeakMap<Option[], Map<unknown, [number, Option]>>()

/** The chosen options of an operand in their order; each repeat calculates with them for every row. */
function chosen({ value, field }: Operand): Option[] {
  const options = field?.attrs?.options ?? []
  const byValue =
    optionsByValue.get(options) ?? new Map(options.map((option, i) => [option.value, [i, option]]))
  optionsByValue.set(options, byValue)
  const found = new Map([value].flat().flatMap((one) => (byValue.has(one) ? [byValue.get(one)!] : [])))
  return [...found].sort(([a], [b]) => a - b).map(([, option]) => option)
}

function textOf(operand: Operand): string | undefined {
  if (!isSet(operand.value)) return undefined
  if (!operand.field?.attrs?.options) return String(operand.value)
  return (
    chosen(operand)
      .map(({ label }) => label)
      .join(', ') || undefined
  )
}

/** Characters after which joining stops: no type of text stores more. */
const LONGEST_JOINED = 20_000

/** Joins texts in order; a separator is dropped if no answered text precedes or follows it. */
function joined(operands: Operand[]): string | undefined {
  let text = ''
  let between = ''
  for (const operand of operands) {
    if (text.length > LONGEST_JOINED) break
    if (operand.isSeparator) {
      between += operand.value
      continue
    }
    const part = textOf(operand)
    if (part === undefined) continue
    text += text ? (between || ' ') + part : part
    between = ''
  }
  return text || undefined
}

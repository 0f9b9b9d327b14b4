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
import type { CalculationName, Field, Option } from './generated.ts'
import { isSet } from './when.ts'
import { addWorkingDays, type Holidays } from './workingDays.ts'

/** Argument of a calculation: a field's name, `field.column` for all rows of a repeat, `$today`, a number or a text. */
export type Argument = string | number | { text: string }

/** A function and its arguments. */
export interface Formula {
  calc: CalculationName
  of: Argument[]
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

/** Kinds of parameters and results. */
export type Kind = 'number' | 'date' | 'amount' | 'text' | 'choice' | 'any'

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

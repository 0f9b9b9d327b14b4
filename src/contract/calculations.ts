import Big from 'big.js'
import { addBusinessDays, addDays, differenceInCalendarDays, differenceInYears } from 'date-fns'
import { chosen, joined, textOf } from './chosenOptions.ts'
import { dayOf, later, laterWorkingDay, monthsBetween, onDays } from './dateArithmetic.ts'
import { DATE_FORMATS, isDateFormat } from './dateFormats.ts'
import { isRealDay } from './days.ts'
import {
  allNumbers,
  answeredNumbers,
  countOf,
  integerOf,
  numberOf,
  remainder,
  sumOf,
  total,
} from './decimalArithmetic.ts'
import type { CalculationName } from './generated.ts'
import type { Operand } from './operand.ts'
import { isSet } from './when.ts'
import type { Holidays } from './workingDays.ts'

/**
 * Kinds of parameters and results; a 'value' is a literal or an answer of any type that a calculation by conditions can
 * give.
 */
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
  /** Only a calculation with a calendar gets `holidays`. */
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

function many(kind: Kind) {
  return { ...several(kind), least: 1, takesRows: true as const }
}

function several(kind: Kind) {
  return { takes: [kind], gives: kind, least: 2, most: MANY }
}

function pair(first: Kind, second: Kind) {
  return { takes: [first, second], least: 2, most: 2 }
}

/** The largest (1) or smallest (-1) of the numbers or dates that are answered. */
function most(operands: Operand[], sign: 1 | -1): Big | string | undefined {
  const days = operands.flatMap(({ value }) => (dayOf(value) ? (value as string) : []))
  if (days.length > 0) return days.reduce((best, one) => (one > best === sign > 0 ? one : best))
  const numbers = answeredNumbers(operands)
  return numbers.length > 0 ? numbers.reduce((best, one) => (one.cmp(best) === sign ? one : best)) : undefined
}

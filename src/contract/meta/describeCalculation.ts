import { type Band, bandsOf } from '../choose.ts'
import { DATE_FORMATS, isDateFormat } from '../dateFormats.ts'
import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import { type Argument, TODAY } from '../formula.ts'
import type { CalculationName, ChooseRow, Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { sourceOfPath } from '../seen.ts'
import { describeCondition } from './describeCondition.ts'
import { outsideWords } from './outsideWords.ts'
import { reachInRows } from './places.ts'

/**
 * Describes the calculation of a field: "10 working days after 'Received'". `reach` are the fields that it can refer
 * to.
 */
export function describeCalculation(field: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const { attrs = {} } = field
  if (!attrs.calc) return ''
  if (attrs.calc === 'choose') return describeChoose(field, reach, itemLabel)
  if (attrs.calc === 'count_rows') return describeCount(field, reach, itemLabel)
  const isFormat = (i: number) => attrs.calc === 'format_date' && i === 1
  const words = WORDS[attrs.calc](
    (attrs.of ?? []).map((one, i) => (isFormat(i) ? formatWords(one) : wordsOf(one, reach))),
  )
  return attrs.calendar ? `${words}, without bank holidays` : words
}

/** "Mild if 'Score' is 5 to 9, Severe if 'Score' is 10 or more, otherwise None". */
function describeChoose(field: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const rows = field.attrs?.choose ?? []
  const bands = bandsOf(rows)
  const conditions = bands
    ? bands.bands.map(
        (band) => `${quoted(reach.get(bands.of)?.label ?? bands.of, bands.of)} is ${describeLimits(band)}`,
      )
    : rows.flatMap(({ when }) => (when ? describeCondition(when, reach, itemLabel) : []))
  const values = rows.map((row) => describeThen(field, row, reach, itemLabel))
  const parts = conditions.map((condition, i) => `${values[i]} if ${condition}`)
  return [...parts, `otherwise ${values.at(-1) ?? NO_VALUE}`].join(', ')
}

/** "the number of rows of 'Visits' in which 'Done' is No". */
function describeCount({ attrs = {} }: Field, reach: Map<string, Field>, itemLabel?: ItemLabel): string {
  const [repeat = ''] = attrs.of ?? []
  const rows = `the number of rows of ${wordsOf(repeat, reach)}`
  const columns = typeof repeat === 'string' ? reachInRows(reach, repeat) : reach
  return attrs.rows_when ? `${rows} in which ${describeCondition(attrs.rows_when, columns, itemLabel)}` : rows
}

const NO_VALUE = 'no value'

/** The value of a row of 'choose' in words. */
export function describeThen(
  field: Field,
  { then }: ChooseRow,
  reach: Map<string, Field>,
  itemLabel?: ItemLabel,
): string {
  if (then === undefined) return NO_VALUE
  if (typeof then === 'string') return wordsOf(then, reach)
  return describeAnswer(field, typeof then === 'object' ? then.text : then, itemLabel)
}

/** "5 to 9", "20 or more". */
export function describeLimits({ min, max }: Band): string {
  if (min === undefined) return `${max} or less`
  if (max === undefined) return `${min} or more`
  return min === max ? String(min) : `${min} to ${max}`
}

const WORDS: Record<Exclude<CalculationName, 'choose' | 'count_rows'>, (of: string[]) => string> = {
  sum: (of) => `the sum of ${list(of)}`,
  count: (of) => `how many of ${list(of)} are answered`,
  min: (of) => `the smallest of ${list(of)}`,
  max: (of) => `the largest of ${list(of)}`,
  add: (of) => of.join(' + '),
  subtract: (of) => of.join(' − '),
  multiply: (of) => of.join(' × '),
  divide: (of) => of.join(' ÷ '),
  round: ([of, places = '0']) => `${of} rounded to ${places} decimal places`,
  days_between: ([from, to]) => `the days from ${from} to ${to}`,
  add_days: ([from, days]) => `${days} days after ${from}`,
  add_working_days: ([from, days]) => `${days} working days after ${from}`,
  age_at: ([from, to]) => `the full years from ${from} to ${to}`,
  months_between: ([from, to]) => `the full months from ${from} to ${to}`,
  modulo: ([of, by]) => `what is left of ${of} after dividing it by ${by}`,
  floor: ([of]) => `${of} rounded down`,
  score: (of) => `the score of ${list(of)}`,
  choice_label: ([of]) => `the text of ${of}`,
  choice_value: ([of]) => `what ${of} is stored as`,
  format_date: ([of, format]) => `${of} written like ${format}`,
  join_text: (of) => `the texts of ${list(of)}`,
  first_set: (of) => `the first that is answered of ${list(of)}`,
}

function wordsOf(argument: Argument, reach: Map<string, Field>): string {
  if (typeof argument === 'number') return argument.toLocaleString('en-GB')
  if (typeof argument === 'object') return `"${argument.text}"`
  if (argument === TODAY) return 'today'
  if (argument === '') return '…'
  if (sourceOfPath(argument)) return outsideWords(argument, reach.get(argument))
  const [head, name] = argument.split('.')
  const field = reach.get(head)
  if (name === undefined) return quoted(field?.label ?? head, head)
  const column = field?.fields?.find((one) => one.name === name)
  return `${quoted(column?.label ?? name, name)} of all ${quoted(field?.label ?? head, head)}`
}

function formatWords(argument: Argument): string {
  const format = typeof argument === 'object' ? argument.text : undefined
  return isDateFormat(format) ? DATE_FORMATS[format].title : '…'
}

function list(of: string[]): string {
  return of.length < 2 ? of.join('') : `${of.slice(0, -1).join(', ')} and ${of.at(-1)}`
}

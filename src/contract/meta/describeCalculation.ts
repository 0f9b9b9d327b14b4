import { type Argument, TODAY } from '../calculations.ts'
import type { CalculationName, Field } from '../generated.ts'
import { quoted } from '../quoted.ts'

/**
 * Describes the calculation of a field: "10 working days after 'Received'". `reach` are the fields that it can refer
 * to.
 */
export function describeCalculation({ attrs = {} }: Field, reach: Map<string, Field>): string {
  if (!attrs.calc) return ''
  const words = WORDS[attrs.calc]((attrs.of ?? []).map((one) => wordsOf(one, reach)))
  return attrs.calendar ? `${words}, without bank holidays` : words
}

const WORDS: Record<CalculationName, (of: string[]) => string> = {
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
  score: (of) => `the score of ${list(of)}`,
  choice_label: ([of]) => `the text of ${of}`,
  join_text: (of) => `the texts of ${list(of)}`,
  first_set: (of) => `the first that is answered of ${list(of)}`,
}

function wordsOf(argument: Argument, reach: Map<string, Field>): string {
  if (typeof argument === 'number') return argument.toLocaleString('en-GB')
  if (typeof argument === 'object') return `"${argument.text}"`
  if (argument === TODAY) return 'today'
  if (argument === '') return '…'
  const [head, name] = argument.split('.')
  const field = reach.get(head)
  if (name === undefined) return quoted(field?.label ?? head, head)
  const column = field?.fields?.find((one) => one.name === name)
  return `${quoted(column?.label ?? name, name)} of all ${quoted(field?.label ?? head, head)}`
}

function list(of: string[]): string {
  return of.length < 2 ? of.join('') : `${of.slice(0, -1).join(', ')} and ${of.at(-1)}`
}

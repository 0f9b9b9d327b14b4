import { kindOf, resultTypes, takesKind } from '../calculate.ts'
import { CALCULATIONS, type Kind } from '../calculations.ts'
import { isDateFormat } from '../dateFormats.ts'
import { FIELD_TYPES, holdsRows } from '../fieldTypes.ts'
import { type Argument, type Formula, TODAY } from '../formula.ts'
import type { Field, FieldAttrs } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { fieldOfPath } from '../seen.ts'
import { checkChoose } from './checkChoose.ts'
import type { Report } from './metaTypes.ts'
import type { Reach } from './places.ts'

/** Attributes that only a field that people fill in can have, with the end of the error message. */
export const ANSWER_ATTRIBUTES: { key: keyof FieldAttrs; cannot: string }[] = [
  { key: 'required', cannot: 'be required' },
  { key: 'required_when', cannot: 'be required' },
  { key: 'default', cannot: 'begin as something' },
  { key: 'rules', cannot: 'have rules' },
  { key: 'pattern', cannot: 'have a pattern' },
  { key: 'checks', cannot: 'have checks' },
  { key: 'min', cannot: 'have limits' },
  { key: 'max', cannot: 'have limits' },
  { key: 'read_only', cannot: 'be only shown' },
]

const KIND_WORDS: Record<Kind, string> = {
  number: 'a number',
  date: 'a date',
  amount: 'a number or a date',
  text: 'a text',
  choice: 'choices that are written with the field',
  any: 'an answer',
  dateFormat: 'how the date is written',
  rows: 'repeating rows',
  value: 'a value',
}

/** The calculation that a calendar of bank holidays belongs to. */
export const CALENDAR_CALCULATION = 'add_working_days'

/** The surroundings of a field with a calculation or a computed default. */
export interface Around {
  /** The fields that it may be calculated from. */
  reach: Reach
  /** The repeats around it, the outermost first. */
  repeats: Field[]
  /** Names of the fields of its form, or of the columns of its row, whose value depends on today's date. */
  todayDependent: Set<string>
  /** The same for names outside its row. */
  todayDependentOutside: Set<string>
}

/**
 * Reports a calculation that does not give the type of its field, or whose arguments are missing or of the wrong kind.
 */
export function checkCalculation(field: Field, around: Around, report: Report): void {
  const { label, attrs = {} } = field
  const name = quoted(label, field.name)
  const { calc, of = [] } = attrs
  if (attrs.calendar && calc !== CALENDAR_CALCULATION)
    report(
      ['attrs', 'calendar'],
      `${name} has a calendar, which only the calculation '${CALCULATIONS[CALENDAR_CALCULATION].title}' looks at; remove it`,
    )
  if (attrs.choose && calc !== 'choose')
    report(
      ['attrs', 'choose'],
      `${name} has values by conditions, which only the calculation '${CALCULATIONS.choose.title}' looks at; remove them`,
    )
  if (attrs.rows_when && calc !== 'count_rows')
    report(
      ['attrs', 'rows_when'],
      `${name} has a condition on rows, which only the calculation '${CALCULATIONS.count_rows.title}' looks at; remove it`,
    )
  if (calc === undefined) {
    if (attrs.of)
      report(['attrs', 'of'], `Choose how ${name} is calculated, or remove what it is calculated from`)
    return
  }
  for (const { key, cannot } of ANSWER_ATTRIBUTES)
    if (attrs[key] !== undefined && attrs[key] !== false)
      report(['attrs', key], `${name} is calculated, so it cannot ${cannot}; remove that`)
  if (around.todayDependent.has(field.name) && attrs.report)
    report(['attrs', 'report'], `${name} changes from day to day, so cases cannot be searched by it`)
  const reportAt: Report = (path, message) => report(['attrs', ...path], message)
  if (calc === 'choose') checkChoose(field, around, reportAt)
  checkFormula(field, { calc, of }, around, reportAt)
}

/** Checks that a formula gives the type of its field, and its arguments. */
export function checkFormula(field: Field, formula: Formula, around: Around, report: Report): void {
  const { calc, of = [] } = formula
  const { title, gives, least, most } = CALCULATIONS[calc]
  const name = quoted(field.label, field.name)
  const types = resultTypes(gives)
  if (!types.includes(field.type)) {
    const suited = types.map((one) => `'${FIELD_TYPES[one].title}'`).join(' or ')
    report(['calc'], `The calculation '${title}' does not give the type of ${name}; make it ${suited}`)
  }
  if (most === 0 && of.length > 0)
    report(['of'], `'${title}' has conditions and values only; remove what ${name} is calculated from`)
  else if (of.length < least || of.length > most)
    report(['of'], `Choose what ${name} is calculated from: '${title}' needs ${amountOf(least, most)}`)
  for (const i of of.keys())
    checkArgument(field, formula, i, around, (path, message) => report(['of', i, ...path], message))
}

function amountOf(least: number, most: number): string {
  if (least === most) return `${least} ${least === 1 ? 'value' : 'values'}`
  return `at least ${least} and at most ${most}`
}

function checkArgument(field: Field, { calc, of }: Formula, i: number, around: Around, report: Report) {
  const argument: Argument = of[i]
  const { title, takes, takesRows, gives } = CALCULATIONS[calc]
  const taken = takes[Math.min(i, takes.length - 1)]
  const needs = `the calculation '${title}' needs ${KIND_WORDS[taken]} there`
  if (taken === 'dateFormat') {
    const isFormat = typeof argument === 'object' && isDateFormat(argument.text)
    if (!isFormat) report([], `Choose how ${quoted(field.label, field.name)} writes the date`)
    return
  }
  if (typeof argument === 'number') {
    if (taken !== 'number' && taken !== 'amount') report([], `${argument} is a number, but ${needs}`)
    return
  }
  if (typeof argument === 'object') {
    if (calc !== 'join_text') report([], `'${argument.text}' is a text of your own, but ${needs}`)
    return
  }
  if (argument === TODAY) {
    if (taken !== 'date' && taken !== 'amount') report([], `Today is a date, but ${needs}`)
    return
  }
  if (argument === '') return report([], `Choose what ${quoted(field.label, field.name)} is calculated from`)
  const source = sourceOf(field, argument, calc, around, report)
  if (!source) return
  const head = fieldOfPath(argument)
  const column = argument === head ? undefined : argument.slice(head.length + 1)
  // Texts are made only for what is wrong: a form may have tens of thousands of arguments.
  const label = () => quoted(source.label, source.name)
  if (column !== undefined && !takesRows)
    return report(
      [],
      `${label()} has a value in every row; choose a calculation of many values, such as '${CALCULATIONS.sum.title}'`,
    )
  if (around.todayDependentOutside.has(head))
    return report(
      [],
      `${label()} changes from day to day, so no row can be calculated from it; use today itself`,
    )
  if (!takesKind(taken, source)) return report([], `From ${label()} this cannot be calculated: ${needs}`)
  if ((gives === 'amount' || gives === 'any') && kindOf(source) !== kindOf(field))
    report([], `${label()} is of another kind than ${quoted(field.label, field.name)}; choose another field`)
}

/** The field that an argument refers to; if it cannot be calculated with, reports and returns undefined. */
export function sourceOf(
  field: Field,
  argument: string,
  calc: Formula['calc'],
  { reach, repeats }: Around,
  report: Report,
): Field | undefined {
  const head = fieldOfPath(argument)
  const name = argument === head ? undefined : argument.slice(head.length + 1)
  const found = reach.get(head)
  const label = () => quoted(field.label, field.name)
  if (!found) {
    report([], `${label()} is calculated from '${head}', but there is no such field; choose another`)
  } else if (repeats.includes(found)) {
    report(
      [],
      `${label()} stands in the rows of ${quoted(found.label, head)}; choose a column of its own row`,
    )
  } else if (name === undefined) {
    if (!holdsRows(found) || CALCULATIONS[calc].takes.includes('rows') || calc === 'count') return found
    report([], `Choose the column of ${quoted(found.label, head)} from which ${label()} is calculated`)
  } else {
    const column = holdsRows(found) ? found.fields?.find((one) => one.name === name) : undefined
    if (column) return column
    report(
      [],
      `${label()} is calculated from '${name}' of ${quoted(found.label, head)}, but there is no such column`,
    )
  }
  return undefined
}

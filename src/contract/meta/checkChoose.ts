import { kindOf } from '../calculate.ts'
import { isRealDay } from '../days.ts'
import { hasChoices, holdsRows, isDay, isQuestion, offeredOptions } from '../fieldTypes.ts'
import { type Argument, TODAY } from '../formula.ts'
import type { ChooseRow, Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { isElsewhere, pathsOf } from '../when.ts'
import type { Around } from './checkCalculation.ts'
import type { Report } from './metaTypes.ts'

/** Checks the rows of a 'choose': all but the last have a condition, and each gives a value that its field can have. */
export function checkChoose(field: Field, around: Around, report: Report): void {
  const rows = field.attrs?.choose ?? []
  const name = quoted(field.label, field.name)
  if (rows.length < 2) {
    report(['choose'], `Say when ${name} has which value: at least one condition, and the value otherwise`)
    return
  }
  if (hasChoices(field) && field.attrs?.lookup)
    report(
      ['choose'],
      `${name} takes its choices from a list, so it cannot be chosen by conditions; write its choices here`,
    )
  for (const [i, row] of rows.entries()) {
    const isLast = i === rows.length - 1
    if (isLast && row.when)
      report(
        ['choose', i, 'when'],
        `The last value of ${name} holds otherwise, so it has no condition; add one after it`,
      )
    if (!isLast && !row.when)
      report(['choose', i], `Say when ${name} has value ${i + 1}; only the last one has no condition`)
    for (const path of pathsOf(row.when))
      if (isElsewhere(path))
        report(
          ['choose', i, 'when'],
          `${name} is stored for everybody, so it can only look at answers of its form, not at '${path}'`,
        )
    const wrong = thenError(field, row, around)
    if (wrong) report(['choose', i, 'then'], wrong)
  }
}

/** Error of a value that a field cannot have; undefined if it can, or for no value. */
function thenError(field: Field, { then }: ChooseRow, around: Around): string | undefined {
  if (then === undefined) return undefined
  const name = quoted(field.label, field.name)
  if (then === '') return `Choose a value of ${name}`
  if (then === TODAY)
    return isDay(field) ? undefined : `Today is a date, which ${name} cannot have; choose another value`
  if (typeof then === 'string') return sourceError(field, then, around)
  return literalError(field, then)
}

function literalError(field: Field, then: Exclude<Argument, string>): string | undefined {
  const value = typeof then === 'object' ? then.text : then
  const name = quoted(field.label, field.name)
  if (value === '') return `Choose a value of ${name}`
  const choices = offeredOptions(field)
  if (kindOf(field) === 'choice')
    return choices.some((option) => option.value === value)
      ? undefined
      : `${name} has no choice '${value}'; choose another value`
  const isFitting =
    kindOf(field) === 'number'
      ? typeof value === 'number'
      : isDay(field)
        ? typeof value === 'string' && isRealDay(value)
        : typeof value === 'string'
  return isFitting ? undefined : `'${value}' can never be the value of ${name}; choose another value`
}

function sourceError(
  field: Field,
  head: string,
  { reach, repeats, todayDependentOutside }: Around,
): string | undefined {
  const name = quoted(field.label, field.name)
  const source = reach.get(head)
  if (!source) return `${name} is calculated from '${head}', but there is no such field; choose another`
  const label = quoted(source.label, head)
  if (source.name === field.name) return `${name} cannot be its own value; choose another field`
  if (repeats.includes(source) || holdsRows(source) || !isQuestion(source))
    return `${label} has no single answer; choose another field`
  if (todayDependentOutside.has(head))
    return `${label} changes from day to day, so no row can be calculated from it; use today itself`
  if (kindOf(source) !== kindOf(field))
    return `${label} is of another kind than ${name}; choose another field`
  if (kindOf(field) !== 'choice') return undefined
  const offered = new Set(offeredOptions(field).map(({ value }) => value))
  return offeredOptions(source).length > 0 && offeredOptions(source).every(({ value }) => offered.has(value))
    ? undefined
    : `${label} has choices that ${name} does not have; choose another field`
}

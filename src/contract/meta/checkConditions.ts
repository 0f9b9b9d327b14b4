import { decimalFormatOf } from '../decimal.ts'
import { FIELD_TYPES, hasChoices, holdsRows, isQuestion } from '../fieldTypes.ts'
import type { Field, Group, Property } from '../generated.ts'
import { quoted } from '../quoted.ts'
import { fieldOfPath } from '../seen.ts'
import { suggest } from '../suggest.ts'
import { testProblem } from '../valueProblem.ts'
import {
  isElsewhere,
  isRowsTest,
  type Literal,
  otherPathsOf,
  pick,
  type RowsTest,
  type Test,
  type Values,
  type When,
} from '../when.ts'
import { checkCircles } from './checkCircles.ts'
import { isUnfinished, literalsOf, testsOf } from './conditionTests.ts'
import type { Report } from './metaTypes.ts'
import { fieldsByName, type Place, placesOf, type Reach, reachFrom, topField } from './places.ts'

/** The fields of records outside of a form, by the start of their paths ('record', 'user', 'with.client'). */
export type Elsewhere = Record<string, Record<string, Property>>

/**
 * Reports conditions of one meta that refer to missing fields or values, and cycles of conditions. `before` is the
 * previous form, which has the labels of removed fields; `outside` are the fields that lead outside of the form, by path.
 */
export function checkConditions(
  groups: Group[],
  report: Report,
  before: Group[] = [],
  elsewhere: Elsewhere = {},
  outside: Fields = new Map(),
): void {
  const all = new Map([...fieldsByName(groups), ...outside])
  const gone = { fields: fieldsByName(before), elsewhere }
  for (const [g, group] of groups.entries()) {
    checkWhen(group.attrs?.when, all, gone, (path, message) => report([g, 'attrs', 'when', ...path], message))
  }
  for (const place of placesOf(groups)) {
    const { field, repeats, path } = place
    const reach = reachFrom(all, repeats)
    const { name } = topField(place)
    checkRowsFromRows(place, (at, message) => report([...path, 'attrs', ...at], message, name))
    for (const key of ['when', 'required_when'] as const) {
      checkWhen(field.attrs?.[key], reach, gone, (at, message) =>
        report([...path, 'attrs', key, ...at], message, name),
      )
    }
    const counted = field.attrs?.rows_when && reach.get(String(field.attrs.of?.[0]))
    if (counted)
      checkRowCondition(field.attrs!.rows_when!, counted, reach, gone, (at, message) =>
        report([...path, 'attrs', 'rows_when', ...at], message, name),
      )
    for (const [i, row] of (field.attrs?.choose ?? []).entries())
      checkWhen(row.when, reach, gone, (at, message) =>
        report([...path, 'attrs', 'choose', i, 'when', ...at], message, name),
      )
    for (const [i, check] of (field.attrs?.checks ?? []).entries()) {
      const reportAt: Report = (at, message) => report([...path, 'attrs', 'checks', i, ...at], message, name)
      checkWhen(check.when, reach, gone, (at, message) => reportAt(['when', ...at], message))
      if (check.message.trim() === '') reportAt(['message'], 'Say what is wrong while this condition holds')
    }
  }
  checkCircles(groups, report)
}

/** Reports conditions of columns that look into other rows than those inside of their own row. */
function checkRowsFromRows({ field: { attrs = {} }, repeats }: Place, report: Report) {
  const around = repeats.at(-1)
  if (!around) return
  const columns = new Set((around.fields ?? []).map(({ name }) => name))
  const conditions: [string, When | undefined][] = [
    ['when', attrs.when],
    ['required_when', attrs.required_when],
    ...(attrs.checks ?? []).map(({ when }): [string, When] => ['checks', when]),
    ...(attrs.choose ?? []).map(({ when }): [string, When | undefined] => ['choose', when]),
  ]
  for (const [key, when] of conditions)
    for (const [path, test] of testsOf(when))
      if (isRowsTest(test) && !columns.has(path))
        report(
          [key],
          `In the rows of ${quoted(around.label, around.name)} no condition can look into the rows of '${path}'; count them in a field outside and look at that`,
        )
}

type Fields = ReadonlyMap<string, Field>
/** What a condition can refer to besides the fields within its reach: removed fields, for messages, and records. */
interface Others {
  fields: Fields
  elsewhere: Elsewhere
  /** The record that paths like `$case.x` look at: the fields of its form, and its columns. */
  caseRecord?: { fields: Fields; columns: Record<string, Property> }
}
/** Start of a path to an answer or a column of the case. */
const CASE_PATH = '$case.'

/** Reports the paths of a condition that lead nowhere, and values that can never be there. */
export function checkWhen(when: When | undefined, reach: Reach, gone: Others, report: Report) {
  if (!when) return
  for (const [path, test] of Object.entries(when)) {
    if (path === 'any') {
      for (const [i, one] of (test as When[]).entries()) {
        checkWhen(one, reach, gone, (at, message) => report(['any', i, ...at], message))
      }
    } else if (gone.caseRecord && path.startsWith(CASE_PATH)) {
      const { fields, columns } = gone.caseRecord
      const name = path.slice(CASE_PATH.length)
      const isColumn = !fields.has(name.split('.')[0]) && Object.hasOwn(columns, name)
      const others = { fields: new Map(), elsewhere: { record: columns } }
      checkWhen({ [isColumn ? `record.${name}` : name]: test }, fields, others, ([, ...at], message) =>
        report([path, ...at], message),
      )
    } else if (isElsewhere(path)) {
      const problem = elsewhereError(path, test as Test, gone.elsewhere)
      if (problem) report([path], problem)
    } else if (isRowsTest(test as Test)) checkRowsTest(path, test as RowsTest, reach, gone, report)
    else checkTest(path, test as Test, reach, gone.fields, (at, m) => report([path, ...at], m))
  }
}

/** Checks a test of rows: its field has rows, and its conditions look at columns of one row. */
function checkRowsTest(path: string, test: RowsTest, reach: Reach, gone: Others, report: Report) {
  const repeat = reach.get(path)
  if (!repeat) return checkTest(path, { set: true }, reach, gone.fields, (at, m) => report([path, ...at], m))
  const label = quoted(repeat.label, path)
  if (!holdsRows(repeat))
    return report([path], `${label} has no rows, so this condition can never hold; choose repeating rows`)
  for (const [key, when] of Object.entries(
    pick(test as Values, (name) => name.endsWith('_row') || name === 'count_rows'),
  ))
    checkRowCondition(when as When, repeat, reach, gone, (at, message) => report([path, key, ...at], message))
  if (isUnfinished(path, test) && test.count_rows && !isAnyUnfinished(test.count_rows))
    report([path], `Say in how many rows of ${label} this must hold`)
}

/** Checks a condition on the rows of a repeat: it tests columns of one row, and no rows inside of it. */
function checkRowCondition(when: When, repeat: Field, reach: Reach, gone: Others, report: Report) {
  const columns = new Set((repeat.fields ?? []).map(({ name }) => name))
  const label = quoted(repeat.label, repeat.name)
  for (const [path, test] of testsOf(when)) {
    const [head] = path.split('.')
    if (path !== '' && !columns.has(head))
      report(
        [],
        `A condition on the rows of ${label} looks at its columns, and '${path}' is not one of them; choose another field`,
      )
    else if (isRowsTest(test))
      report(
        [],
        `A condition on the rows of ${label} cannot look into rows inside of them; count these in a column first`,
      )
  }
  checkWhen(when, reachFrom(reach, [repeat]), gone, report)
}

function isAnyUnfinished(when: When): boolean {
  return [...testsOf(when)].some(([path, test]) => isUnfinished(path, test))
}

/** Error of a path into another record and of the values that it is compared with. */
function elsewhereError(path: string, test: Test, elsewhere: Elsewhere): string | undefined {
  const start = Object.keys(elsewhere).find((one) => path.startsWith(`${one}.`))
  if (start === undefined) return undefined
  const fields = elsewhere[start]
  const [name, ...rest] = path.slice(start.length + 1).split('.')
  const property = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (!property)
    return `This condition looks at '${path}', but there is no such field${suggest(name, Object.keys(fields))}`
  return rest.length > 0 ? undefined : testProblem(name, property, test)
}

function checkTest(path: string, test: Test, reach: Reach, gone: Fields, report: Report) {
  if (path === '') return report([], 'Choose the field that this condition looks at, or remove the condition')
  const [head, rest] = partsOf(path)
  const field = reach.get(head)
  if (!field) {
    const was = gone.get(head)
    const why = was ? `${quoted(was.label, head)}, which is removed` : `'${head}', but there is no such field`
    return report([], `This condition looks at ${why}; choose another or remove it`)
  }
  if (!isQuestion(field))
    return report([], `'${field.label}' is a note, which has no value; choose another field or remove this`)
  const part = partError(field, rest)
  if (part) return report([], part)
  if (isUnfinished(path, test)) return report([], `Choose a value of '${field.label}' for this condition`)
  for (const other of otherPathsOf(test)) {
    const wrong = otherPathError(field, other, reach, gone)
    if (wrong) return report([], wrong)
  }
  if (rest.length > 0) return
  const known = choicesOf(field)
  for (const literal of literalsOf(test)) {
    const wrong = literal !== null && literal !== '' && literalError(field, known, literal)
    if (wrong) return report([], wrong)
  }
}

/** The name of the field that a path begins with, and the path into its value. */
function partsOf(path: string): [string, string[]] {
  const name = fieldOfPath(path)
  return [
    name,
    path
      .slice(name.length + 1)
      .split('.')
      .filter(Boolean),
  ]
}

/** Error of a path into the value of a field; undefined if there can be a value. */
function partError({ label, name, type, fields = [] }: Field, [part, ...more]: string[]): string | undefined {
  if (part === undefined) return undefined
  if (holdsRows({ type })) {
    const column = fields.find((one) => one.name === part)
    const of = column ? quoted(column.label, part) : `'${part}'`
    return `${of} of ${quoted(label, name)} has an answer in every row, so this condition can never hold; say of the rows in which it holds, or add a calculation over them and look at that`
  }
  if (FIELD_TYPES[type].parts?.some((one) => one.name === part) && more.length === 0) return undefined
  return `${quoted(label, name)} has no part '${[part, ...more].join('.')}', so this condition can never hold; choose another field`
}

/** Error of comparing a field with that of another path; undefined if they can be compared. */
function otherPathError(field: Field, path: string, reach: Reach, gone: Fields): string | undefined {
  if (isElsewhere(path)) return undefined
  const [head, rest] = partsOf(path)
  const other = reach.get(head)
  if (!other) {
    const was = gone.get(head)
    const why = was ? `${quoted(was.label, head)}, which is removed` : `'${head}', but there is no such field`
    return `This condition compares '${field.label}' with ${why}; choose another or remove it`
  }
  if (other.name === field.name) return `'${field.label}' is compared with itself; choose another field`
  const part = partError(other, rest)
  if (part) return part
  if (rest.length > 0 || isComparable(field, other)) return undefined
  return `'${field.label}' cannot be compared with '${other.label}': choose a field of the same type`
}

/** False for amounts in two currencies. */
function hasSameUnit(one: Field, other: Field): boolean {
  const [currency, otherCurrency] = [one, other].map((field) => decimalFormatOf(field)?.currency)
  return currency === undefined || otherCurrency === undefined || currency === otherCurrency
}

/** True if two fields have values of the same kind, so that a condition can compare them. */
export function isComparable(one: Field, other: Field): boolean {
  const [facts, otherFacts] = [one, other].map(({ type }) => FIELD_TYPES[type])
  const kind = facts.compares
  if (kind === undefined || kind !== otherFacts.compares) return false
  if (kind === 'text') return true
  if (facts.isPlainNumber && otherFacts.isPlainNumber) return hasSameUnit(one, other)
  if (kind === 'amount' || !hasChoices(one) || !hasChoices(other)) return one.type === other.type
  return one.attrs?.options || other.attrs?.options
    ? one.attrs?.options !== undefined && other.attrs?.options !== undefined
    : one.attrs?.lookup === other.attrs?.lookup
}

function choicesOf({ type, attrs = {} }: Field): Set<Literal> | undefined {
  const choices = FIELD_TYPES[type].ownChoices?.(attrs) ?? attrs.options
  return choices && new Set(choices.map(({ value }) => value))
}

/**
 * Error of comparing a field with a value that it can never have, or undefined; `known` are its choices, if it has any.
 */
function literalError(
  { label, type, attrs = {} }: Field,
  known: Set<Literal> | undefined,
  value: Literal,
): string | undefined {
  const { literal } = FIELD_TYPES[type]
  if (!literal) return `A condition on '${label}' can only ask whether it has a value`
  if (attrs.known_only && value === 'not_known')
    return `'${label}' is not offered ‘Not known’; choose another value, or offer it`
  if (known) return known.has(value) ? undefined : `'${label}' has no choice '${value}'; choose another value`
  const must = attrs.lookup ? 'number' : literal.type
  if (typeof value === must) return undefined
  return `'${value}' can never be the value of '${label}'; choose another value`
}

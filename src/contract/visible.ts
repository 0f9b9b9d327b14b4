import { derivedValue, originOfDefault, sourcesOf, usesDefault } from './computedDefault.ts'
import { type Evaluation, inOnePass, inRounds } from './failingConditions.ts'
import { originWords, withAnswersInTexts, withHint, wordsOfAnswer, wordsOfSeen } from './filledTexts.ts'
import { type Argument, TODAY } from './formula.ts'
import type { Field, Group } from './generated.ts'
import type { Operand } from './operand.ts'
import { groupOfRow, outsideOf, type PreparedForm, prepareForm } from './preparedForm.ts'
import { mostRows } from './repeatLimits.ts'
import { sourceOfPath } from './seen.ts'
import { type ConditionContext, isPlainObject, isSet, type Values, valueAt } from './when.ts'

/** Most cached results of one form. */
const MAX_RESULTS = 100

/** A form evaluated with its answers. */
interface Evaluated {
  /** The visible groups and fields. */
  groups: Group[]
  /**
   * The answers of visible fields with current calculated values and, in a new record, defaults; keys of no field are
   * unchanged. What is calculated over more rows than a repeat may have stays as given.
   */
  answers: Values
}

/**
 * The visible groups and fields for this context; others are not rendered, required or validated. Hidden fields count
 * as unset, computed to a fixpoint; a cycle of conditions stops after a bounded number of rounds. The result is the
 * same list as before while the same conditions hold, so that derived data can be cached by it.
 */
export function visible(groups: Group[], conditionContext: ConditionContext): Group[] {
  const form = prepareForm(groups)
  if (form.conditional.length > 0 || form.withPlaceholders.size > 0 || form.withOrigin.length > 0)
    return evaluate(groups, conditionContext).groups
  return visibleGroups(form, NOTHING)
}

/**
 * The visible groups and fields, as `visible`, and the answers with calculated values, which replace those of the
 * context.
 */
export function evaluate(groups: Group[], conditionContext: ConditionContext): Evaluated {
  const form = prepareForm(groups)
  const values = { ...conditionContext.answers }
  return evaluated(form, {
    form,
    values,
    context: { ...conditionContext, answers: values, rowsOf: rowsOfForm(form) },
    read: (name) => ownValue(values, name),
    given: (name) => ownValue(conditionContext.answers, name),
    unset: (name) => delete values[name],
  })
}

/** The context of an evaluated form, in which conditions on rows see only what is visible in them. */
export function withVisibleRows(groups: Group[], conditionContext: ConditionContext): ConditionContext {
  return { ...conditionContext, rowsOf: rowsOfForm(prepareForm(groups)) }
}

type RowsOf = NonNullable<ConditionContext['rowsOf']>

/** Finds the rows of a form's repeats as conditions see them, or with `outside` those of the form around a row. */
function rowsOfForm({ places }: PreparedForm, outside?: RowsOf): RowsOf {
  return (name, rows, around) => {
    const repeat = places.get(name)?.[0][1]
    if (!repeat) return outside?.(name, rows, around) ?? rows
    // Rows over the limit are refused for their number and not evaluated.
    return rows.slice(0, mostRows(repeat)).map((row) => {
      const { names, values } = evaluateRow(repeat.fields ?? [], row, around)
      const hidden = (repeat.fields ?? []).filter((column) => !names.has(column.name))
      return { ...values, ...Object.fromEntries(hidden.map((column) => [column.name, undefined])) }
    })
  }
}

function evaluated(form: PreparedForm, given: Omit<Evaluation, 'derive'>): Evaluated {
  const evaluation: Evaluation = {
    ...given,
    derive: (field, known) => derivedNow(field, evaluation, known),
  }
  for (const name of form.known) if (!form.places.has(name)) evaluation.unset(name)
  const begun = new Set(form.withOrigin.filter((field) => usesDefault(field, evaluation.context)))
  const failing = form.order ? inOnePass(evaluation, form.order) : inRounds(evaluation)
  const found = visibleGroups(form, failing)
  const groups = form.withPlaceholders.size + begun.size > 0 ? withTexts(found, evaluation, begun) : found
  return { groups, answers: evaluation.values }
}

const NOTHING = new Set<Group | Field>()

function visibleGroups({ groups, conditional, results }: PreparedForm, failing: Set<Group | Field>): Group[] {
  const key = failing.size === 0 ? '' : conditional.map((one) => (failing.has(one) ? 1 : 0)).join('')
  const known = results.get(key)
  if (known) return known
  const found = groups
    .filter((g) => !failing.has(g))
    .map((g) => ({ ...g, fields: g.fields.filter((f) => !failing.has(f)) }))
    .filter((g, _, all) => g.fields.length > 0 || all.some((one) => isUnder(one, g)))
  if (results.size === MAX_RESULTS) results.clear()
  results.set(key, found)
  return found
}

/** True for a visible group that stands under the heading of another one. */
function isUnder({ attrs, fields }: Group, { name }: Group): boolean {
  return attrs?.under === name && fields.length > 0
}

/**
 * The groups with placeholders replaced. Fields in `begun` have their default from outside of the form, and a hint says
 * from where.
 */
function withTexts(groups: Group[], { form, read, context }: Evaluation, begun: Set<Field>): Group[] {
  const wordsOf = (name: string) =>
    sourceOfPath(name)
      ? wordsOfSeen(name, valueAt(name, context), context.seen)
      : wordsOfAnswer(form.places.get(name)?.[0][1], read(name))
  const withText = (field: Field) => {
    const origin = begun.has(field) && isSet(read(field.name)) ? originOfDefault(field) : undefined
    const filled = form.withPlaceholders.has(field) ? withAnswersInTexts(field, wordsOf) : field
    return origin ? withHint(filled, originWords(origin, context.seen)) : filled
  }
  return groups.map((group) => ({ ...group, fields: group.fields.map(withText) }))
}

/** The value of a derived field; `known` caches the columns of rows until something that they depend on changes. */
function derivedNow(field: Field, evaluation: Evaluation, known?: Map<string, Operand[]>): unknown {
  const { form, context, given } = evaluation
  // Rows over the limit are refused for their number and not evaluated; stored ones keep their result.
  if (sourcesOf(field).some((one) => hasTooManyRows(one, evaluation))) return given(field.name)
  return derivedValue(field, context, (argument) => {
    if (typeof argument === 'number') return [{ value: argument }]
    if (typeof argument === 'object') return [{ value: argument.text, isSeparator: true }]
    if (argument === TODAY) return [{ value: context.today }]
    if (sourceOfPath(argument))
      return [{ value: valueAt(argument, context), field: context.seen?.fields.get(argument) }]
    const [head, name] = argument.split('.')
    const source = form.places.get(head)?.[0][1]
    if (name === undefined) return [{ value: evaluation.read(head), field: source }]
    const operands = known?.get(argument) ?? columnOf(source, name, listOf(evaluation.read(head)), context)
    known?.set(argument, operands)
    return operands
  })
}

function columnOf(
  repeat: Field | undefined,
  name: string,
  rows: unknown[],
  around: ConditionContext,
): Operand[] {
  const field = repeat?.fields?.find((one) => one.name === name)
  if (!field) return []
  return rows.filter(isPlainObject).map((row) => {
    const { names, values } = evaluateRow(repeat!.fields!, row, around)
    return { value: names.has(name) ? values[name] : undefined, field }
  })
}

function hasTooManyRows(argument: Argument, { form, read }: Evaluation): boolean {
  if (typeof argument !== 'string' || !argument.includes('.')) return false
  const head = argument.split('.', 1)[0]
  const repeat = form.places.get(head)?.[0][1]
  return repeat !== undefined && listOf(read(head)).length > mostRows(repeat)
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function ownValue(values: Values | undefined, name: string): unknown {
  return values && Object.hasOwn(values, name) ? values[name] : undefined
}

/** A row of a repeat: its visible columns with their names, and its values with current calculated ones. */
interface EvaluatedRow {
  fields: Field[]
  names: Set<string>
  values: Values
}

/** A row's cached evaluation with the outside values that it used; it is valid while these are the same. */
interface KnownRow {
  columns: Field[]
  outside: unknown[]
  result: EvaluatedRow
}

const knownRows = new WeakMap<Values, KnownRow>()

/**
 * The visible columns of one row of a repeat, and the row with current calculated values; conditions look in the row
 * first. Rows are immutable, so each is evaluated once until it or what its columns refer to changes.
 */
export function evaluateRow(columns: Field[], row: Values, around: ConditionContext): EvaluatedRow {
  const form = prepareForm(groupOfRow(columns))
  const outside = outsideValues(columns, around)
  const known = knownRows.get(row)
  if (known?.columns === columns && known.outside.every((value, i) => value === outside[i]))
    return known.result
  const result = evaluateOwn(form, row, around)
  knownRows.set(row, { columns, outside, result })
  return result
}

export function visibleRow(columns: Field[], row: Values, around: ConditionContext): Field[] {
  return evaluateRow(columns, row, around).fields
}

/** Records that a row without its hidden columns has the same evaluation as the whole one. */
export function keepEvaluation(whole: Values, row: Values, columns: Field[], around: ConditionContext): void {
  const known = knownRows.get(whole)
  if (known?.columns !== columns) return
  const { fields, names, values } = known.result
  const calculated = fields.filter(({ attrs, name }) => attrs?.calc && name in values)
  const own = { ...row, ...Object.fromEntries(calculated.map(({ name }) => [name, values[name]])) }
  const outside = outsideValues(columns, around)
  knownRows.set(row, { columns, outside, result: { fields, names, values: own } })
}

function outsideValues(columns: Field[], around: ConditionContext): unknown[] {
  const { names, roots } = outsideOf(columns)
  return [
    ...names.map((name) => readAround(around, name)),
    ...roots.map((root) => around[root as keyof ConditionContext]),
  ]
}

function readAround({ row, answers }: ConditionContext, name: string): unknown {
  return row && Object.hasOwn(row, name) ? row[name] : ownValue(answers, name)
}

function evaluateOwn(form: PreparedForm, row: Values, around: ConditionContext): EvaluatedRow {
  const { conditional, derived, withPlaceholders } = form
  if (conditional.length + derived.length + withPlaceholders.size === 0) {
    const fields = visibleGroups(form, NOTHING)[0]?.fields ?? []
    return { fields, names: namesOf(fields), values: row }
  }
  const inRow = withRow(around, row)
  const own = { ...inRow.row }
  const context = { ...inRow, row: own, withDefaults: false, rowsOf: rowsOfForm(form, around.rowsOf) }
  const { groups } = evaluated(form, {
    form,
    values: own,
    context,
    read: (name) => readAround(context, name),
    given: (name) => readAround(inRow, name),
    // A column without a value hides the answer of the same name around it.
    unset: (name) => {
      own[name] = undefined
    },
  })
  const fields = groups[0]?.fields ?? []
  const calculated = fields.filter((f) => f.attrs?.calc)
  if (calculated.length === 0) return { fields, names: namesOf(fields), values: row }
  const values = { ...row }
  for (const { name } of calculated) {
    if (own[name] === undefined) delete values[name]
    else values[name] = own[name]
  }
  return { fields, names: namesOf(fields), values }
}

const fieldNames = new WeakMap<Field[], Set<string>>()

function namesOf(fields: Field[]): Set<string> {
  const names = fieldNames.get(fields) ?? new Set(fields.map(({ name }) => name))
  fieldNames.set(fields, names)
  return names
}

/** Condition context of the columns of a row: its values, and those of the rows around it, override the answers. */
export function withRow(conditionContext: ConditionContext, row: Values): ConditionContext {
  return { ...conditionContext, row: { ...conditionContext.row, ...row } }
}

import { type Argument, type Operand, TODAY } from './calculations.ts'
import {
  derivedValue,
  hasAutomaticDefault,
  headOf,
  inOrder,
  sourcesOf,
  usesDefault,
} from './computedDefault.ts'
import { namesIn, TEXTS, withAnswersInTexts } from './filledTexts.ts'
import type { Field, Group } from './generated.ts'
import { type ConditionContext, holds, isPlainObject, pathsOf, type Values } from './when.ts'

/** Data of a form that does not depend on answers, cached because forms are immutable. */
interface Prepared {
  /** The groups and fields that are switched on. */
  groups: Group[]
  /** Groups and fields that have a condition. */
  conditional: (Group | Field)[]
  /** Fields with placeholders for answers in their texts. */
  withPlaceholders: Set<Field>
  /** Names of all fields, including switched-off ones. */
  known: Set<string>
  places: Map<string, [Group, Field][]>
  dependants: Map<string, (Group | Field)[]>
  /** Calculated fields and fields with an automatic default, each after the fields that it depends on. */
  derived: Field[]
  /** Visible groups, cached by the conditions that fail. */
  results: Map<string, Group[]>
}
/** Most cached results of one form. */
const MOST_RESULTS = 100

const prepared = new WeakMap<Group[], Prepared>()

/** A form evaluated with its answers. */
interface Evaluated {
  /** The visible groups and fields. */
  groups: Group[]
  /**
   * The answers of visible fields with current calculated values and, in a new record, defaults; keys of no field are
   * unchanged.
   */
  answers: Values
}

/**
 * The visible groups and fields for this context; others are not rendered, required or validated. Hidden fields count
 * as unset, computed to a fixpoint; a cycle of conditions stops after a bounded number of rounds. The result is the
 * same list as before while the same conditions hold, so that derived data can be cached by it.
 */
export function visible(groups: Group[], conditionContext: ConditionContext): Group[] {
  const form = prepare(groups)
  if (form.conditional.length > 0 || form.withPlaceholders.size > 0)
    return evaluate(groups, conditionContext).groups
  return visibleGroups(form, NOTHING)
}

/**
 * The visible groups and fields, as `visible`, and the answers with calculated values, which replace those of the
 * context.
 */
export function evaluate(groups: Group[], conditionContext: ConditionContext): Evaluated {
  const form = prepare(groups)
  const { failing, answers } = fixpoint(form, conditionContext)
  const found = visibleGroups(form, failing)
  return { groups: form.withPlaceholders.size > 0 ? withTexts(found, form, answers) : found, answers }
}

const NOTHING = new Set<Group | Field>()

function visibleGroups({ groups, conditional, results }: Prepared, failing: Set<Group | Field>): Group[] {
  const key = failing.size === 0 ? '' : conditional.map((one) => (failing.has(one) ? 1 : 0)).join('')
  const known = results.get(key)
  if (known) return known
  const found = groups
    .filter((g) => !failing.has(g))
    .map((g) => ({ ...g, fields: g.fields.filter((f) => !failing.has(f)) }))
    .filter((g) => g.fields.length > 0)
  if (results.size === MOST_RESULTS) results.clear()
  results.set(key, found)
  return found
}

function withTexts(groups: Group[], { withPlaceholders, places }: Prepared, answers: Values): Group[] {
  const fieldNamed = (name: string) => places.get(name)?.[0][1]
  const withText = (field: Field) =>
    withPlaceholders.has(field) ? withAnswersInTexts(field, answers, fieldNamed) : field
  return groups.map((group) => ({ ...group, fields: group.fields.map(withText) }))
}

/** Names of the calculated fields whose value depends on today's date; it is displayed but never stored. */
export function todayDependentNames(groups: Group[]): Set<string> {
  const { derived, places } = prepare(groups)
  const found = new Set<string>()
  const isTodayDependent = (argument: Argument) => {
    if (typeof argument !== 'string') return false
    const [head, column] = argument.split('.')
    if (argument === TODAY || found.has(head)) return true
    return column !== undefined && todayDependentColumns(places.get(head)?.[0][1].fields ?? []).has(column)
  }
  for (const { name, attrs } of derived) if (attrs!.calc && attrs!.of?.some(isTodayDependent)) found.add(name)
  return found
}

function prepare(groups: Group[]): Prepared {
  const done = prepared.get(groups)
  if (done) return done
  const on = groups
    .filter((g) => g.attrs?.is_on !== false)
    .map((g) => ({ ...g, fields: g.fields.filter((f) => f.attrs?.is_on !== false) }))
  const all = [...on, ...on.flatMap((g) => g.fields)]
  const places = new Map<string, [Group, Field][]>()
  for (const group of on)
    for (const field of group.fields)
      places.set(field.name, [...(places.get(field.name) ?? []), [group, field]])
  const withPlaceholders = new Set(
    on.flatMap((g) => g.fields).filter((f) => TEXTS.some((text) => namesIn(f, text).length > 0)),
  )
  const form = {
    groups: on,
    withPlaceholders,
    conditional: all.filter((one) => one.attrs?.when),
    known: namesOf(groups),
    places,
    dependants: dependantsOf(all),
    derived: inOrder(on.flatMap((g) => g.fields).filter((f) => f.attrs?.calc || hasAutomaticDefault(f))),
    results: new Map(),
  }
  prepared.set(groups, form)
  return form
}

/**
 * The groups and fields whose conditions fail, and the answers that they were evaluated with. Each round evaluates only
 * those that depend on a change of the previous round.
 */
function fixpoint(form: Prepared, conditionContext: ConditionContext) {
  const { conditional, known, places, dependants } = form
  const derived = form.derived.filter((f) => f.attrs!.calc || usesDefault(f, conditionContext))
  const failing = new Set<Group | Field>()
  const isVisible = (name: string) => places.get(name)!.some(([g, f]) => !failing.has(g) && !failing.has(f))

  const hidden = new Set<string>()
  const answers = withoutOff(conditionContext.answers ?? {}, known, places)
  const visibleContext = { ...conditionContext, answers }
  const valueNow = (field: Field) =>
    derivedValue(field, visibleContext, (one) => operandsOf(one, form, visibleContext))
  for (const { name } of derived) delete answers[name]
  for (const field of derived) setAnswer(answers, field.name, valueNow(field))
  const valueWhenVisible = (name: string) => {
    const field = derived.find((one) => one.name === name)
    if (field) return valueNow(field)
    return Object.hasOwn(conditionContext.answers ?? {}, name) ? conditionContext.answers![name] : undefined
  }
  let due: Iterable<Group | Field> = conditional
  for (let round = 0; round <= known.size; round++) {
    const touched = new Set<string>()
    for (const one of due) {
      if (holds(one.attrs?.when, visibleContext) !== failing.has(one)) continue
      if (!failing.delete(one)) failing.add(one)
      for (const { name } of isGroup(one) ? one.fields : [one]) touched.add(name)
    }
    if (touched.size === 0) break
    const changed = new Set<string>()
    for (const name of touched) {
      if (isVisible(name) !== hidden.has(name)) continue
      if (!hidden.delete(name)) hidden.add(name)
      setAnswer(answers, name, hidden.has(name) ? undefined : valueWhenVisible(name))
      changed.add(name)
    }
    for (const field of derived) {
      const { name } = field
      if (hidden.has(name) || !sourcesOf(field).some((one) => changed.has(headOf(one) ?? ''))) continue
      const value = valueNow(field)
      if (value !== answers[name]) changed.add(name)
      setAnswer(answers, name, value)
    }
    due = new Set([...changed].flatMap((name) => dependants.get(name) ?? []))
  }
  return { failing, answers }
}

function setAnswer(answers: Values, name: string, value: unknown) {
  if (value === undefined) delete answers[name]
  else answers[name] = value
}

/** Resolves an argument to operands; a column of a repeat has one for each row. */
function operandsOf(argument: Argument, { places }: Prepared, conditionContext: ConditionContext): Operand[] {
  const { answers = {} } = conditionContext
  if (typeof argument === 'number') return [{ value: argument }]
  if (typeof argument === 'object') return [{ value: argument.text, isSeparator: true }]
  if (argument === TODAY) return [{ value: conditionContext.today }]
  const [head, name] = argument.split('.')
  const field = places.get(head)?.[0][1]
  if (name === undefined) return [{ value: answers[head], field }]
  const columns = field?.fields ?? []
  const column = columns.find((one) => one.name === name)
  const rows = Array.isArray(answers[head]) ? answers[head].filter(isPlainObject) : []
  return rows.map((row) => {
    const { fields, values } = evaluateRow(columns, row, conditionContext)
    return { value: fields.some((one) => one.name === name) ? values[name] : undefined, field: column }
  })
}

/** The groups and fields whose conditions refer to an answer, by its name. */
function dependantsOf(all: (Group | Field)[]): Map<string, (Group | Field)[]> {
  const found = new Map<string, (Group | Field)[]>()
  for (const one of all) {
    for (const path of pathsOf(one.attrs?.when)) {
      const [name] = path.split('.')
      if (!found.get(name)?.push(one)) found.set(name, [one])
    }
  }
  return found
}

function isGroup(one: Group | Field): one is Group {
  return !('type' in one)
}

/** The visible columns of one row of a repeat; conditions look in the row first. */
export function visibleRow(fields: Field[], row: Values, conditionContext: ConditionContext): Field[] {
  return evaluateRow(fields, row, conditionContext).fields
}

/** The visible columns of one row of a repeat, as `visibleRow`, and the row with current calculated values. */
export function evaluateRow(
  fields: Field[],
  row: Values,
  conditionContext: ConditionContext,
): { fields: Field[]; values: Values } {
  const { groups, answers } = evaluate(groupOfRow(fields), {
    ...withRow(conditionContext, row),
    withDefaults: false,
  })
  const visibleFields = groups[0]?.fields ?? []
  const calculated = visibleFields.filter((f) => f.attrs?.calc)
  if (calculated.length === 0) return { fields: visibleFields, values: row }
  const values = { ...row }
  for (const { name } of calculated) setAnswer(values, name, answers[name])
  return { fields: visibleFields, values }
}

/** Condition context of the columns of a row: its values override the answers around it. */
export function withRow(conditionContext: ConditionContext, row: Values): ConditionContext {
  return { ...conditionContext, row: undefined, answers: { ...conditionContext.answers, ...row } }
}

/** Names of the columns of a repeat whose value depends on today's date. */
export function todayDependentColumns(fields: Field[]): Set<string> {
  return todayDependentNames(groupOfRow(fields))
}

const rowGroups = new WeakMap<Field[], Group[]>()

/** Returns the same groups for the same columns, so that they are prepared once for all rows. */
function groupOfRow(fields: Field[]): Group[] {
  const groups = rowGroups.get(fields) ?? [{ name: 'row', label: 'row', fields }]
  rowGroups.set(fields, groups)
  return groups
}

function namesOf(groups: Group[]): Set<string> {
  return new Set(groups.flatMap((g) => g.fields.map((f) => f.name)))
}

/** Answers without those of switched-off fields; the conditions of a row still see the answers around it. */
function withoutOff(answers: Values, known: Set<string>, places: Prepared['places']): Values {
  const copy = { ...answers }
  for (const name of known) if (!places.has(name)) delete copy[name]
  return copy
}

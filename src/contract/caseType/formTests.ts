import { applyChanges } from '../applyChanges.ts'
import { type Verb, verbOf } from '../automations/outcomes.ts'
import { sampleAutomations } from '../automations/sampleAutomations.ts'
import type { Calendars } from '../deadlines/calendars.ts'
import { sampleDeadlines } from '../deadlines/sampleDeadlines.ts'
import { holdsRows, isQuestion, isRendered } from '../fieldTypes.ts'
import type {
  Automation,
  Deadline,
  DeadlineExpectation,
  Field,
  FormTest,
  FormTestExpectation,
  Group,
} from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import type { MetaName } from '../meta/metaTypes.ts'
import { fieldsByName } from '../meta/places.ts'
import { META_OF } from '../meta/recordFields.ts'
import { quoted } from '../quoted.ts'
import { mostRows } from '../repeatLimits.ts'
import { isRequired } from '../schema.ts'
import { type SchemaValidator, withoutBlanks } from '../validateAnswers.ts'
import { evaluate, evaluateRow, withRow } from '../visible.ts'
import { type ConditionContext, getIn, isPlainObject, isSet, type Values } from '../when.ts'
import { contextOfTest, statesOf } from './formTestContext.ts'

/** Most tests of a case type; schemas/meta/formTests.json has the same limit. */
export const MAX_FORM_TESTS = 100

/** Dependencies of a test run. */
export interface FormTestDeps {
  validateSchema: SchemaValidator
  /** Condition context besides the answers: that of the case type's service, without a particular user. */
  conditionContext: ConditionContext
  /** The automations and deadlines of the case type. */
  automations?: Automation[]
  deadlines?: Deadline[]
  /** The calendars of bank holidays; without them, there are none. */
  calendars?: Calendars
}

/** The keys of an expectation about automations, each with the verb that it lists. */
const EXPECTED_VERBS = {
  alerts: 'alert',
  holds: 'hold',
  steps: 'step',
  notified: 'notify',
} as const satisfies Record<string, Verb>
export type ExpectedVerb = keyof typeof EXPECTED_VERBS

/** Outcome of a form with the answers of a test, by the paths of its fields ('family.0.phone'). */
export interface Outcome {
  visible: Set<string>
  required: Set<string>
  /** Messages of refused answers. */
  errors: Record<string, string>
  /** Values of visible calculated fields and of fields marked `hidden`; null for no value. */
  calculated: Values
  /** Names of the automations with each verb that hold. */
  automations: Record<ExpectedVerb, string[]>
  /** The deadlines of the record by their names; null for one that is not due. */
  deadlines: Record<string, DeadlineExpectation | null>
}

type Filled = Pick<FormTest, 'meta' | 'given' | 'with' | 'as'>

/** The present outcome of a form with the answers of a test. */
export function outcomeOf(
  groups: Group[],
  { meta, given, with: facts = {}, as }: Filled,
  { validateSchema, conditionContext: around, automations = [], deadlines = [], calendars }: FormTestDeps,
): Outcome {
  const conditionContext = contextOfTest({ meta, as, with: facts }, around, calendars)
  const sent = withoutBlanks(given)
  const sample = { ...conditionContext, answers: sent }
  const due = sampleDeadlines(deadlines, meta, groups, sample, facts.actions)
  const { groups: visibleGroups, answers } = evaluate(groups, sample)
  const outcome: Outcome = {
    visible: new Set(),
    required: new Set(),
    errors: {},
    calculated: {},
    automations: verbsThatHold(automations, meta, groups, { ...sample, deadline: statesOf(due) }),
    deadlines: due,
  }
  const add = (field: Field, path: string, values: Values, seen: ConditionContext) => {
    if (isRendered(field)) outcome.visible.add(path)
    if (field.attrs?.calc || !isRendered(field)) outcome.calculated[path] = values[field.name] ?? null
    else if (isQuestion(field) && isRequired(field, seen)) outcome.required.add(path)
  }
  const addAll = (fields: Field[], at: string, values: Values, seen: ConditionContext) => {
    for (const field of fields) {
      const path = at + field.name
      add(field, path, values, seen)
      for (const [i, row] of rowsOf(field, values[field.name])) {
        const inRow = evaluateRow(field.fields ?? [], row, seen)
        addAll(inRow.fields, `${path}.${i}.`, inRow.values, withRow(seen, inRow.values))
      }
    }
  }
  const visibleFields = visibleGroups.flatMap((g) => g.fields)
  addAll(visibleFields, '', answers, { ...sample, answers })
  const { errors } = applyChanges({
    groups,
    stored: {},
    sent,
    conditionContext,
    validateSchema,
    today: as.today,
    all: true,
  })
  for (const [path, [message]] of Object.entries(errors)) {
    const isMissing = outcome.required.has(path) && !isSet(getIn(sent, path.split('.')))
    if (!isMissing) outcome.errors[path] = message
  }
  return outcome
}

function verbsThatHold(
  automations: Automation[],
  meta: MetaName,
  groups: Group[],
  conditionContext: ConditionContext,
): Outcome['automations'] {
  const own = automations.filter(({ of }) => META_OF[of] === meta)
  const holding = own.length > 0 ? sampleAutomations(own, own[0].of, groups, conditionContext).holding : []
  const named = Object.entries(EXPECTED_VERBS).map(([key, verb]) => [
    key,
    holding.filter(({ then }) => then.some((one) => verbOf(one) === verb)).map(({ name }) => name),
  ])
  return Object.fromEntries(named)
}

/**
 * Records the present outcome of a form as a test. It lists only answered fields and fields that a condition shows or
 * hides, so that it still passes when others are added.
 */
export function recordFormTest(
  groups: Group[],
  { name, meta, given, with: facts, as }: Omit<FormTest, 'expect'>,
  deps: FormTestDeps,
): FormTest {
  const fields = fieldsByName(groups)
  const answered = Object.fromEntries(
    Object.entries(withoutBlanks(given)).filter(([key]) => fields.has(key) && isAnswer(fields.get(key)!)),
  )
  const outcome = outcomeOf(groups, { meta, given: answered, with: facts, as }, deps)
  const decided = decidedPaths(groups, answered)
  const expect: FormTestExpectation = {
    visible: decided.filter((path) => outcome.visible.has(path)),
    hidden: decided.filter((path) => !outcome.visible.has(path)),
    required: [...outcome.required],
    errors: outcome.errors,
    ...(Object.keys(outcome.calculated).length > 0 && { calculated: outcome.calculated }),
    ...(deps.automations?.some(({ of }) => META_OF[of] === meta) && outcome.automations),
    ...(Object.keys(outcome.deadlines).length > 0 && { deadlines: outcome.deadlines }),
  }
  return { name, meta, given: answered, ...(facts && { with: facts }), as, expect }
}

/** Updates a test to the present outcome of the form, for the same fields and keys; removed fields are left out. */
export function updateFormTest(groups: Group[], test: FormTest, deps: FormTestDeps): FormTest {
  const fields = fieldsByName(groups)
  const isThere = (path: string) => fieldAt(fields, path) !== undefined
  const given = Object.fromEntries(Object.entries(test.given).filter(([name]) => fields.has(name)))
  const outcome = outcomeOf(groups, { ...test, given }, deps)
  const { visible, hidden, required, errors, calculated, deadlines } = test.expect
  const dueNames = Object.keys(deadlines ?? {}).filter((name) => Object.hasOwn(outcome.deadlines, name))
  const named = [...(visible ?? []), ...(hidden ?? [])].filter(isThere)
  const visibleNow = named.filter((path) => outcome.visible.has(path))
  const hiddenNow = named.filter((path) => !outcome.visible.has(path))
  const values = Object.keys(calculated ?? {}).filter(isThere)
  const verbs = (Object.keys(EXPECTED_VERBS) as ExpectedVerb[]).filter((key) => test.expect[key])
  const expect: FormTestExpectation = {
    ...((visible || visibleNow.length > 0) && { visible: visibleNow }),
    ...((hidden || hiddenNow.length > 0) && { hidden: hiddenNow }),
    ...(required && { required: [...outcome.required] }),
    ...(errors && { errors: outcome.errors }),
    ...(calculated && {
      calculated: Object.fromEntries(values.map((path) => [path, outcome.calculated[path] ?? null])),
    }),
    ...Object.fromEntries(verbs.map((key) => [key, outcome.automations[key]])),
    ...(deadlines && {
      deadlines: Object.fromEntries(dueNames.map((name) => [name, outcome.deadlines[name]])),
    }),
  }
  return { ...test, given, expect }
}

/** Differences between two lists of tests, which are matched by name: "Test 'Urgent' is removed." */
export function testDifferences(before: FormTest[], after: FormTest[]): string[] {
  const was = new Map(before.map((test) => [test.name, test]))
  const is = new Map(after.map((test) => [test.name, test]))
  const changed = after.flatMap((test) => {
    const old = was.get(test.name)
    if (old && isEqual(old, test)) return []
    return `Test ${quoted(test.name)} is ${old ? 'changed' : 'added'}.`
  })
  const removed = before
    .filter(({ name }) => !is.has(name))
    .map(({ name }) => `Test ${quoted(name)} is removed.`)
  return [...changed, ...removed]
}

/** The field or column at a path ('family.0.phone'), from a form's fields by name. */
export function fieldAt(fields: Map<string, Field>, path: string): Field | undefined {
  const [name, ...columns] = path.split('.').filter((_, i) => i % 2 === 0)
  return columns.reduce((at, column) => at?.fields?.find((c) => c.name === column), fields.get(name))
}

function isAnswer({ attrs }: Field): boolean {
  return !attrs?.calc && isRendered({ attrs })
}

/** Paths of the fields that are answered, or that a condition of their own or of their group shows or hides. */
function decidedPaths(groups: Group[], given: Values): string[] {
  return groups.flatMap((group) =>
    group.fields.filter(isRendered).flatMap((field) => {
      const { when, is_on } = field.attrs ?? {}
      const isOff = is_on === false || group.attrs?.is_on === false
      const isDecided = field.name in given || (!isOff && (when ?? group.attrs?.when) !== undefined)
      return [...(isDecided ? [field.name] : []), ...decidedColumns(field, given[field.name], field.name)]
    }),
  )
}

/** Paths of the columns with a condition of their own, in the existing rows. */
function decidedColumns(repeat: Field, value: unknown, path: string): string[] {
  const columns = (repeat.fields ?? []).filter((c) => c.attrs?.is_on !== false)
  return rowsOf(repeat, value).flatMap(([i, row]) =>
    columns.flatMap((column) => {
      const at = `${path}.${i}.${column.name}`
      return [...(column.attrs?.when ? [at] : []), ...decidedColumns(column, row[column.name], at)]
    }),
  )
}

/** The rows of a repeat with their indexes, without those over its limit. */
export function rowsOf(field: Field, value: unknown): [number, Values][] {
  if (!holdsRows(field) || !Array.isArray(value)) return []
  return [...value.slice(0, mostRows(field)).entries()].filter((entry): entry is [number, Values] =>
    isPlainObject(entry[1]),
  )
}

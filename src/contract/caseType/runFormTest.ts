import { describeAnswer, type ItemLabel } from '../describeAnswer.ts'
import type { Automation, Deadline, Field, FormTest, FormTestExpectation, Group } from '../generated.ts'
import { isEqual } from '../isEqual.ts'
import { describeCondition } from '../meta/describeCondition.ts'
import type { MetaName, Metas } from '../meta/metaTypes.ts'
import { outsideFields } from '../meta/outsideFields.ts'
import { fieldsByName } from '../meta/places.ts'
import { type Why, whyField } from '../meta/why.ts'
import { quoted, shortened } from '../quoted.ts'
import { seenPathsOf } from '../seenPaths.ts'
import { type ConditionContext, isSet } from '../when.ts'
import { deadlineDifferences } from './deadlineDifferences.ts'
import { contextOfTest } from './formTestContext.ts'
import { type ExpectedVerb, type FormTestDeps, fieldAt, type Outcome, outcomeOf } from './formTests.ts'

/**
 * One deviation of a form from the expectation of a test: the path of the field or the name of the automation or deadline,
 * and sentences with its label and the reason.
 */
export interface Difference {
  field: string
  message: string
}
/** The result of a test, with its index among the tests. */
export interface FormTestResult {
  index: number
  test: FormTest
  /** [] where it passes. */
  differences: Difference[]
}

/** Most reported differences of one test: nobody reads more. */
const MAX_DIFFERENCES = 20

/** Runs a test and returns the differences from its expectation, [] if it passes. */
export function runFormTest(
  groups: Group[],
  test: FormTest,
  deps: FormTestDeps,
  itemLabel?: ItemLabel,
): Difference[] {
  const conditionContext = {
    ...contextOfTest(test, deps.conditionContext, deps.calendars),
    answers: test.given,
  }
  const { automations = [], deadlines = [] } = deps
  const run = { groups, fields: fieldsByName(groups), conditionContext, automations, deadlines, itemLabel }
  const found: Difference[] = []
  for (const difference of differencesOf(run, test, outcomeOf(groups, test, deps))) {
    if (found.length === MAX_DIFFERENCES) break
    found.push(difference)
  }
  return found
}

/** Runs the tests of a case type lazily: each one when its result is requested. */
export function* runFormTests(
  metas: Metas,
  tests: FormTest[],
  deps: FormTestDeps,
  itemLabel?: ItemLabel,
): Generator<FormTestResult> {
  const known = {
    case_meta: withOutside('case_meta', metas, deps),
    issue_meta: withOutside('issue_meta', metas, deps),
  }
  for (const [index, test] of tests.entries())
    yield { index, test, differences: runFormTest(metas[test.meta], test, known[test.meta], itemLabel) }
}

/** The dependencies with the fields that a form looks at outside of it, which its texts and scores need. */
function withOutside(meta: MetaName, metas: Metas, deps: FormTestDeps): FormTestDeps {
  if (seenPathsOf(metas[meta]).length === 0) return deps
  const seen = { values: {}, fields: outsideFields(meta, metas, NO_ENTITIES) }
  return { ...deps, conditionContext: { ...deps.conditionContext, seen } }
}

const NO_ENTITIES = {}

interface TestRun {
  groups: Group[]
  fields: Map<string, Field>
  conditionContext: ConditionContext
  automations: Automation[]
  deadlines: Deadline[]
  itemLabel?: ItemLabel
}

function* differencesOf(run: TestRun, { given, expect }: FormTest, outcome: Outcome): Generator<Difference> {
  const { visible = [], hidden = [], required, errors, calculated = {} } = expect
  const named = [
    ...Object.keys(given),
    ...visible,
    ...hidden,
    ...(required ?? []),
    ...Object.keys({ ...errors, ...calculated }),
  ]
  // Each field is reported once, for its first difference: a hidden field can be neither required nor refused.
  const reported = new Set(named.filter((path) => !fieldAt(run.fields, path)))
  for (const path of reported) yield { field: path, message: `There is no field ${quoted(path)}.` }
  const report = function* (path: string, what: string, reasonsOf: (why: Why) => string[]) {
    if (reported.has(path)) return
    reported.add(path)
    const why = whyField(run.groups, path, run.conditionContext, run.itemLabel)
    const reasons = why.isVisible ? reasonsOf(why) : why.visibleReasons
    const message = [`${labelAt(run, path)} ${what}.`, ...reasons].join(' ')
    yield { field: path, message }
  }
  for (const path of visible)
    if (!outcome.visible.has(path)) yield* report(path, 'should be shown and is not', () => [])
  for (const path of hidden)
    if (outcome.visible.has(path))
      yield* report(path, 'should not be shown and is', (why) => why.visibleReasons)
  if (required) {
    for (const path of required)
      if (!outcome.required.has(path))
        yield* report(path, 'should be required and is not', (why) => why.required)
    for (const path of outcome.required)
      if (!required.includes(path))
        yield* report(path, 'should not be required and is', (why) => why.required)
  }
  if (errors) {
    for (const [path, message] of Object.entries(errors)) {
      const now = outcome.errors[path]
      if (now === message) continue
      const is = now === undefined ? 'is accepted' : `is refused with ${inQuotes(now)}`
      yield* report(path, `should be refused with ${inQuotes(message)} and ${is}`, (why) => why.refused ?? [])
    }
    for (const [path, message] of Object.entries(outcome.errors))
      if (!Object.hasOwn(errors, path))
        yield* report(
          path,
          `should be accepted and is refused with ${inQuotes(message)}`,
          (why) => why.refused ?? [],
        )
  }
  for (const [path, value] of Object.entries(calculated)) {
    const now = outcome.calculated[path] ?? null
    if (isEqual(now, value ?? null)) continue
    const words = (one: unknown) =>
      isSet(one)
        ? shortened(describeAnswer(fieldAt(run.fields, path), one, run.itemLabel))
        : 'without a value'
    yield* report(path, `should be ${words(value)} and is ${words(now)}`, (why) => why.required)
  }
  yield* automationDifferences(run, expect, outcome)
  yield* deadlineDifferences(run.deadlines, expect.deadlines, outcome.deadlines)
}

/** What a verb of an automation does, as the end of "'Concern' should … and does not". */
const VERB_WORDS: Record<ExpectedVerb, string> = {
  alerts: 'show an alert',
  holds: 'hold a call',
  steps: 'plan a step',
  notified: 'notify people',
}

function* automationDifferences(
  { fields, automations, itemLabel }: TestRun,
  expect: FormTestExpectation,
  outcome: Outcome,
): Generator<Difference> {
  for (const [key, words] of Object.entries(VERB_WORDS) as [ExpectedVerb, string][]) {
    const expected = expect[key]
    if (!expected) continue
    const now = outcome.automations[key]
    for (const name of new Set([...expected, ...now])) {
      if (expected.includes(name) === now.includes(name)) continue
      const automation = automations.find((one) => one.name === name)
      if (!automation) {
        yield { field: name, message: `There is no automation ${quoted(name)}.` }
        continue
      }
      const what = now.includes(name) ? `should not ${words} and does` : `should ${words} and does not`
      const when = shortened(describeCondition(automation.when, fields, itemLabel))
      const message = `The automation ${quoted(automation.label, name)} ${what}. It holds when ${when}.`
      yield { field: name, message }
    }
  }
}

/**
 * The label at a path: "'Ward'", "'Phone' in row 2 of 'Family'"; for an error below a field, the label of the field.
 */
function labelAt(run: TestRun, path: string): string {
  const [, around, row] = path.match(/^(.*)\.(\d+)\.\w+/) ?? []
  const label = quoted(fieldAt(run.fields, path)?.label ?? '', path)
  return row === undefined ? label : `${label} in row ${Number(row) + 1} of ${labelAt(run, around)}`
}

function inQuotes(message: string): string {
  return `“${shortened(message)}”`
}

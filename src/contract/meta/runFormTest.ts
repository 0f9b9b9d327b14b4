import { isEqual } from '../applyChanges.ts'
import type { Field, FormTest, Group } from '../generated.ts'
import { type ConditionContext, isSet } from '../when.ts'
import { describeAnswer, type ItemLabel } from './describeAnswer.ts'
import { contextOfTest, type FormTestDeps, fieldAt, type Outcome, outcomeOf } from './formTests.ts'
import type { Metas } from './metaTypes.ts'
import { fieldsByName } from './places.ts'
import { quoted, shortened } from './quoted.ts'
import { type Why, whyField } from './why.ts'

/** One thing that a form does otherwise than a test expects: the field's path, and sentences that name it and the reason. */
export interface Difference {
  field: string
  message: string
}
/** What became of a test, with its place among the tests. */
export interface FormTestResult {
  index: number
  test: FormTest
  /** [] where it passes. */
  differences: Difference[]
}

/** So many differences of one test are told: nobody reads more. */
const MOST = 20

/** What a form does otherwise than a test expects; [] where it passes. */
export function runFormTest(
  groups: Group[],
  test: FormTest,
  deps: FormTestDeps,
  itemLabel?: ItemLabel,
): Difference[] {
  const conditionContext = { ...contextOfTest(test.as, deps.conditionContext), answers: test.given }
  const view = { groups, fields: fieldsByName(groups), conditionContext, itemLabel }
  const found: Difference[] = []
  for (const difference of differencesOf(view, test, outcomeOf(groups, test, deps))) {
    if (found.length === MOST) break
    found.push(difference)
  }
  return found
}

/** What becomes of each test of a case type; whoever asks for the next one decides when it is run. */
export function* runFormTests(
  metas: Metas,
  tests: FormTest[],
  deps: FormTestDeps,
  itemLabel?: ItemLabel,
): Generator<FormTestResult> {
  for (const [index, test] of tests.entries())
    yield { index, test, differences: runFormTest(metas[test.meta], test, deps, itemLabel) }
}

interface View {
  groups: Group[]
  fields: Map<string, Field>
  conditionContext: ConditionContext
  itemLabel?: ItemLabel
}

function* differencesOf(view: View, { given, expect }: FormTest, outcome: Outcome): Generator<Difference> {
  const { visible = [], hidden = [], required, errors, calculated = {} } = expect
  const named = [
    ...Object.keys(given),
    ...visible,
    ...hidden,
    ...(required ?? []),
    ...Object.keys({ ...errors, ...calculated }),
  ]
  // A field is told once, by what is told first: what is hidden can be neither required nor refused.
  const told = new Set(named.filter((path) => !fieldAt(view.fields, path)))
  for (const path of told) yield { field: path, message: `There is no field ${quoted(path)}.` }
  const tell = function* (path: string, what: string, reasonsOf: (why: Why) => string[]) {
    if (told.has(path)) return
    told.add(path)
    const why = whyField(view.groups, path, view.conditionContext, view.itemLabel)
    const reasons = why.isVisible ? reasonsOf(why) : why.visibleReasons
    const message = [`${labelAt(view, path)} ${what}.`, ...reasons].join(' ')
    yield { field: path, message }
  }
  for (const path of visible)
    if (!outcome.visible.has(path)) yield* tell(path, 'should be shown and is not', () => [])
  for (const path of hidden)
    if (outcome.visible.has(path))
      yield* tell(path, 'should not be shown and is', (why) => why.visibleReasons)
  if (required) {
    for (const path of required)
      if (!outcome.required.has(path))
        yield* tell(path, 'should be required and is not', (why) => why.required)
    for (const path of outcome.required)
      if (!required.includes(path)) yield* tell(path, 'should not be required and is', (why) => why.required)
  }
  if (errors) {
    for (const [path, message] of Object.entries(errors)) {
      const now = outcome.errors[path]
      if (now === message) continue
      const is = now === undefined ? 'is accepted' : `is refused with ${inQuotes(now)}`
      yield* tell(path, `should be refused with ${inQuotes(message)} and ${is}`, (why) => why.refused ?? [])
    }
    for (const [path, message] of Object.entries(outcome.errors))
      if (!Object.hasOwn(errors, path))
        yield* tell(
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
        ? shortened(describeAnswer(fieldAt(view.fields, path), one, view.itemLabel))
        : 'without a value'
    yield* tell(path, `should be ${words(value)} and is ${words(now)}`, (why) => why.required)
  }
}

/** "'Ward'", "'Phone' in row 2 of 'Family'"; what the server refuses below a field goes by that. */
function labelAt(view: View, path: string): string {
  const [, around, row] = path.match(/^(.*)\.(\d+)\.\w+/) ?? []
  const label = quoted(fieldAt(view.fields, path)?.label ?? '', path)
  return row === undefined ? label : `${label} in row ${Number(row) + 1} of ${labelAt(view, around)}`
}

function inQuotes(message: string): string {
  return `“${shortened(message)}”`
}

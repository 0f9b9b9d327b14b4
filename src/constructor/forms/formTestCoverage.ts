import { contextOfTest } from '../../contract/caseType/formTestContext.ts'
import { rowsOf } from '../../contract/caseType/formTests.ts'
import type { ItemLabel } from '../../contract/describeAnswer.ts'
import type { Field, FormTest, Group } from '../../contract/generated.ts'
import { memoised } from '../../contract/memoised.ts'
import { describeThen } from '../../contract/meta/describeCalculation.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import type { MetaName, Metas } from '../../contract/meta/metaTypes.ts'
import { fieldsByName, placesOf, withinReach } from '../../contract/meta/places.ts'
import { pluralise } from '../../contract/pluralise.ts'
import { quoted, shortened } from '../../contract/quoted.ts'
import { parentOf } from '../../contract/subgroups.ts'
import { evaluate, evaluateRow, withRow, withVisibleRows } from '../../contract/visible.ts'
import { type ConditionContext, holds, isSet, type Values, valueAt, type When } from '../../contract/when.ts'
import { coveredDefinitions } from './definitionCoverage.ts'
import type { DefinitionPlace, Definitions } from './definitions.ts'

/** A condition of a form, an automation or a deadline, and whether it held and failed in tests in which it matters. */
export interface CoveredCondition {
  meta: MetaName
  /** Names from the group down to the field or column that has it; [] for an automation or a deadline. */
  address: string[]
  /** The automation or deadline that has it. */
  definition?: DefinitionPlace
  /** Undefined for a deadline that every record has. */
  when?: When
  /** The outcome that it decides: "'Ward' is shown". */
  decides: string
  /** The fields that it can refer to. */
  reach: Map<string, Field>
  hasHeld: boolean
  hasFailed: boolean
}
/** A group, field or column with its conditions: the key of each and the outcome that it decides. */
interface Part {
  address: string[]
  conditions: [key: string, when: When | undefined, decides: string][]
}

/**
 * Coverage of every condition of switched-on items by the tests. The condition of a field counts while its group is
 * visible, `required_when` while the field is visible, a check while the field is answered. The condition of an
 * automation counts if it looks at answers of one form or at deadlines; a deadline where a test expects it.
 */
export function coverageOf(
  { automations = [], deadlines = [], ...metas }: Metas & Partial<Definitions>,
  tests: FormTest[],
  around: ConditionContext,
): CoveredCondition[] {
  return (['case_meta', 'issue_meta'] as const).flatMap((meta) => {
    const found = new Map(conditionsOf(metas[meta], meta))
    const own = tests.filter((test) => test.meta === meta)
    if (found.size > 0) for (const test of own) markConditions(metas[meta], test, around, found)
    return [...found.values(), ...coveredDefinitions({ automations, deadlines, ...metas }, meta, own, around)]
  })
}

/** "4 of 31 conditions are in no test." */
export function coverageSentence(conditions: CoveredCondition[]): string {
  if (conditions.length === 0) return 'There is no condition to test.'
  const missing = conditions.filter((one) => !isCovered(one)).length
  if (conditions.length === 1) return `The one condition is in ${missing === 1 ? 'no' : 'a'} test.`
  if (missing === 0) return `Every condition is in a test: ${pluralise(conditions.length, 'condition')}.`
  return `${missing} of ${pluralise(conditions.length, 'condition')} ${missing === 1 ? 'is' : 'are'} in no test.`
}

/** True if a condition both held and failed in tests. */
export function isCovered({ when, hasHeld, hasFailed }: CoveredCondition): boolean {
  return hasHeld && (hasFailed || when === undefined)
}

/** "'Ward' is shown when 'Urgent' is Yes: it does not hold in any test." */
export function describeUncovered(one: CoveredCondition, itemLabel?: ItemLabel): string {
  if (!one.when) return `${one.decides}: no test expects it.`
  const words = shortened(describeCondition(one.when, one.reach, itemLabel))
  const missing = one.hasHeld
    ? 'it holds in every test'
    : one.hasFailed
      ? 'it does not hold in any test'
      : 'nothing depends on it in any test'
  return `${one.decides} when ${words}: ${missing}.`
}

function* conditionsOf(groups: Group[], meta: MetaName): Generator<[string, CoveredCondition]> {
  const all = fieldsByName(groups)
  const covered = function* (item: Group | Field, around: string[], reach: Map<string, Field>) {
    if (!hasConditions(item)) return
    const { address, conditions } = partOf(item, around)
    for (const [key, when, decides] of conditions) {
      const one = when && { meta, address, when, decides, reach, hasHeld: false, hasFailed: false }
      if (one) yield [keyOf(address, key), one] as [string, CoveredCondition]
    }
  }
  for (const group of groups.filter(isOn)) {
    yield* covered(group, [], all)
    for (const { field, repeats } of placesOf([group]))
      if ([...repeats, field].every(isOn))
        yield* covered(field, namesOf([group, ...repeats]), withinReach(all, repeats))
  }
}

function partOf(item: Group | Field, around: string[]): Part {
  const attrs: NonNullable<Field['attrs']> = item.attrs ?? {}
  const { when, required, required_when, checks = [], choose = [] } = attrs
  const label = quoted(item.label, item.name)
  return {
    address: [...around, item.name],
    conditions: [
      ['when', when, `${label} is shown`],
      ['required_when', required ? undefined : required_when, `${label} must be answered`],
      ...checks.map((check, i): Part['conditions'][number] => [
        `checks.${i}`,
        check.when,
        `${label} is refused`,
      ]),
      ...choose.map((row, i): Part['conditions'][number] => [
        `choose.${i}`,
        row.when,
        `${label} is ${describeThen(item as Field, row, new Map())}`,
      ]),
    ],
  }
}

/** True for the few parts of a form that have to be looked at with each test. */
const hasConditions = memoised((item: Group | Field): boolean =>
  partOf(item, []).conditions.some(([, when]) => when !== undefined),
)

/** The switched-on fields that have conditions, or columns with conditions; the same list for the same fields. */
const conditionalFields = memoised((fields: Field[]): Field[] =>
  fields.filter(
    (field) =>
      isOn(field) &&
      (hasConditions(field) || (field.fields !== undefined && conditionalFields(field.fields).length > 0)),
  ),
)

/** Records which conditions hold and which fail with the answers of a test. */
function markConditions(
  groups: Group[],
  test: FormTest,
  around: ConditionContext,
  found: Map<string, CoveredCondition>,
): void {
  const context = contextOfTest(test, around)
  const { groups: visibleGroups, answers } = evaluate(groups, { ...context, answers: test.given })
  const mark = (item: Group | Field, path: string[], seen: ConditionContext, isShown: boolean) => {
    if (!hasConditions(item)) return
    for (const [key, when] of partOf(item, path).conditions) {
      const condition = when && found.get(keyOf([...path, item.name], key))
      if (!condition) continue
      if (key !== 'when' && !isShown) continue
      if (key.startsWith('checks.') && !isSet(valueAt(item.name, seen))) continue
      if (holds(when, seen)) condition.hasHeld = true
      else condition.hasFailed = true
    }
  }
  const markAll = (
    fields: Field[],
    path: string[],
    names: Set<string>,
    values: Values,
    seen: ConditionContext,
  ) => {
    for (const field of conditionalFields(fields)) {
      mark(field, path, seen, names.has(field.name))
      if (!field.fields || !names.has(field.name)) continue
      for (const [, row] of rowsOf(field, values[field.name])) {
        const inRow = evaluateRow(field.fields ?? [], row, seen)
        const around = [...path, field.name]
        const namesInRow = new Set(namesOf(inRow.fields))
        markAll(field.fields ?? [], around, namesInRow, inRow.values, withRow(seen, inRow.values))
      }
    }
  }
  const seen = { ...withVisibleRows(groups, context), answers }
  const names = new Set(visibleGroups.flatMap((g) => namesOf(g.fields)))
  for (const group of groups.filter(isOn)) {
    mark(group, [], seen, true)
    const around = [group, parentOf(groups, group)]
    if (around.every((one) => holds(one?.attrs?.when, seen)))
      markAll(group.fields, [group.name], names, answers, seen)
  }
}

function namesOf(items: (Group | Field)[]): string[] {
  return items.map(({ name }) => name)
}

function keyOf(address: string[], key: string): string {
  return [...address, key].join('/')
}

function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}

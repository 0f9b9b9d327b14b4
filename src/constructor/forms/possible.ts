import { FIELD_TYPES, hasChoices, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { isOtherPath, isRowsTest, type Literal, operandsOf, type Test } from '../../contract/when.ts'

/** The combined constraints of several tests on one value. */
interface Constraints {
  set?: boolean
  unset?: boolean
  oneOf: Literal[][]
  not: Set<Literal>
  min: (number | string)[]
  max: (number | string)[]
}

/**
 * True if some answer of a field, or no answer, may pass all the tests; also true if that is uncertain. Retired choices
 * count: older records have them. A field that is never visible has no answer.
 */
export function possible(tests: Test[], field: Field | undefined, isVisible = true): boolean {
  const constraints = constraintsOf(tests)
  return (
    unsetPasses(constraints) || (isVisible && constraints.unset !== true && somePasses(constraints, field))
  )
}

/** True if an unset value cannot pass, so that the field must be visible. */
export function needsValue(test: Test): boolean {
  return !unsetPasses(constraintsOf([test]))
}

function constraintsOf(tests: Test[]): Constraints {
  const constraints: Constraints = { oneOf: [], not: new Set(), min: [], max: [] }
  for (const test of tests) {
    const isCompared = operandsOf(test).some(isOtherPath)
    if (test === null || typeof test !== 'object' || Array.isArray(test) || isOtherPath(test)) {
      // The value of another field is not known, but equality with it requires that both have a value.
      if (isOtherPath(test)) constraints.set = true
      else if (!isCompared) constraints.oneOf.push([test as Literal | Literal[]].flat())
      continue
    }
    if (isRowsTest(test)) {
      // In how many rows a condition holds is not known, but it holds in none without rows.
      if (test.any_row || test.every_row) constraints.set = true
      continue
    }
    const { set, not, min, max } = test
    if (set !== undefined) constraints[set ? 'set' : 'unset'] = true
    if (not !== undefined) for (const one of [not].flat()) if (!isOtherPath(one)) constraints.not.add(one)
    for (const [bound, list] of [
      [min, constraints.min],
      [max, constraints.max],
    ] as const) {
      if (bound === undefined) continue
      if (isOtherPath(bound)) constraints.set = true
      else list.push(bound)
    }
  }
  return constraints
}

function unsetPasses({ set, oneOf, not, min, max }: Constraints): boolean {
  if (set || min.length > 0 || max.length > 0 || not.has(null)) return false
  return oneOf.every((values) => values.includes(null))
}

function somePasses(constraints: Constraints, field: Field | undefined): boolean {
  const { oneOf, not } = constraints
  if (!field) return isWide(constraints, false)
  const choices = choicesOf(field)
  if (takesSeveralChoices(field)) {
    const left = choices && new Set(choices.filter((value) => !not.has(value)))
    if (left?.size === 0) return false
    return oneOf.every((values) =>
      values.some((value) => value !== null && !not.has(value) && (!left || left.has(value))),
    )
  }
  const listed = oneOf.length > 0 ? oneOf : choices ? [choices] : []
  if (listed.length === 0) return isWide(constraints, FIELD_TYPES[field.type].isWhole === true)
  const others = [...listed.slice(1), ...(choices ? [choices] : [])].map((values) => new Set(values))
  return listed[0].some(
    (value) =>
      value !== null &&
      !not.has(value) &&
      isWithin(value, constraints) &&
      others.every((values) => values.has(value)),
  )
}

function isWithin(value: Literal, { min, max }: Constraints): boolean {
  return (
    min.every((one) => (value as number) >= (one as number)) &&
    max.every((one) => (value as number) <= (one as number))
  )
}

/** True if the limits leave a value that is not excluded; whole numbers are counted. */
function isWide({ oneOf, not, min, max }: Constraints, isWhole: boolean): boolean {
  // A value from outside of the form may be of any type, so the result of a comparison is not known.
  if (oneOf.length > 0 || min.length === 0 || max.length === 0) return true
  const least = min.reduce((a, b) => (b > a ? b : a))
  const most = max.reduce((a, b) => (b < a ? b : a))
  if (typeof least !== typeof most) return true
  if (least > most) return false
  if (least === most) return !not.has(least)
  if (!isWhole || typeof least !== 'number' || typeof most !== 'number') return true
  const count = Math.floor(most) - Math.ceil(least) + 1
  const excluded = [...not].filter(
    (one) => Number.isInteger(one) && (one as number) >= least && (one as number) <= most,
  )
  return count > excluded.length
}

/** All values that a field can have; undefined if they are not limited. */
function choicesOf({ type, attrs }: Field): Literal[] | undefined {
  const options = hasChoices({ type }) ? attrs?.options : FIELD_TYPES[type].ownChoices?.()
  return options?.map(({ value }) => value)
}

import type { Field } from '../types.ts'
import type { Literal, Test } from '../when.ts'

const YESNO: Literal[] = ['yes', 'no', 'not_known']
const NUMBERS = ['integer', 'duration']

/** What several tests of one value ask of it together. */
interface Asked {
  set?: boolean
  unset?: boolean
  oneOf: Literal[][]
  not: Set<Literal>
  min: (number | string)[]
  max: (number | string)[]
}

/**
 * Whether some answer of a field, or none, passes all the tests; true wherever that is not certain. Choices that are
 * retired count: older records have them. A field that is never shown has no answer.
 */
export function possible(tests: Test[], field: Field | undefined, isShown = true): boolean {
  const asked = ask(tests)
  return unsetPasses(asked) || (isShown && asked.unset !== true && somePasses(asked, field))
}

/** Whether only a value can pass, so that a field must be shown for it. */
export function needsValue(test: Test): boolean {
  return !unsetPasses(ask([test]))
}

function ask(tests: Test[]): Asked {
  const asked: Asked = { oneOf: [], not: new Set(), min: [], max: [] }
  for (const test of tests) {
    if (test === null || typeof test !== 'object' || Array.isArray(test)) asked.oneOf.push([test].flat())
    else {
      if (test.set !== undefined) asked[test.set ? 'set' : 'unset'] = true
      if (test.not !== undefined) for (const one of [test.not].flat()) asked.not.add(one)
      if (test.min !== undefined) asked.min.push(test.min)
      if (test.max !== undefined) asked.max.push(test.max)
    }
  }
  return asked
}

function unsetPasses({ set, oneOf, not, min, max }: Asked): boolean {
  if (set || min.length > 0 || max.length > 0 || not.has(null)) return false
  return oneOf.every((values) => values.includes(null))
}

function somePasses(asked: Asked, field: Field | undefined): boolean {
  const { oneOf, not } = asked
  if (!field) return isWide(asked, false)
  const choices = choicesOf(field)
  if (field.type === 'multiselect') {
    const left = choices && new Set(choices.filter((value) => !not.has(value)))
    if (left?.size === 0) return false
    return oneOf.every((values) =>
      values.some((value) => value !== null && !not.has(value) && (!left || left.has(value))),
    )
  }
  const listed = oneOf.length > 0 ? oneOf : choices ? [choices] : []
  if (listed.length === 0) return isWide(asked, NUMBERS.includes(field.type))
  const others = [...listed.slice(1), ...(choices ? [choices] : [])].map((values) => new Set(values))
  return listed[0].some(
    (value) =>
      value !== null &&
      !not.has(value) &&
      isWithin(value, asked) &&
      others.every((values) => values.has(value)),
  )
}

function isWithin(value: Literal, { min, max }: Asked): boolean {
  return (
    min.every((one) => (value as number) >= (one as number)) &&
    max.every((one) => (value as number) <= (one as number))
  )
}

/** Whether the limits leave room for a value that is not excluded; among whole numbers that can be counted. */
function isWide({ oneOf, not, min, max }: Asked, isWhole: boolean): boolean {
  // A value of another kind may come from elsewhere: what it compares as is not known.
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

/** Every value that a field can have; undefined where that is any. */
function choicesOf({ type, attrs }: Field): Literal[] | undefined {
  if (type === 'yesno') return YESNO
  return type === 'select' || type === 'multiselect' ? attrs?.options?.map((o) => o.value) : undefined
}

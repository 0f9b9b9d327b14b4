export type Literal = string | number | boolean | null
/** Stands for what another path has, where a test takes a literal. */
export interface OtherPath {
  path: string
}
export type Operand = Literal | OtherPath
type Bound = number | string | OtherPath
export type Test =
  | Operand
  | Operand[]
  | { not?: Operand | Operand[]; min?: Bound; max?: Bound; set?: boolean; path?: undefined }
export interface When {
  any?: When[]
  [path: string]: Test | When[] | undefined
}

/**
 * The context of a condition: bare paths look in `row`, then `answers`; others begin with the name of their root.
 */
export interface ConditionContext {
  answers?: Values
  row?: Values
  record?: Values
  form?: Values
  with?: Values
  user?: Values
  query?: Values
  /** YYYY-MM-DD where the service works, for calculations; without it, those that need it have no value. */
  today?: string
  /**
   * A new record: fields that nobody answered have what their defaults give, those without a key in `answers` or those of
   * these names.
   */
  withDefaults?: boolean | Set<string>
}
export type Values = Record<string, unknown>

/** What a path of a condition may begin with, besides the names of answers. */
export const ROOTS = ['record', 'form', 'with', 'user', 'query'] as const

/** Whether a condition holds: keys are AND, `any` is OR, `not` holds for an unset value. */
export function holds(when: When | undefined, conditionContext: ConditionContext): boolean {
  if (!when) return true
  return Object.entries(when).every(([path, test]) =>
    path === 'any'
      ? (test as When[]).some((w) => holds(w, conditionContext))
      : passes(valueAt(path, conditionContext), test as Test, conditionContext),
  )
}

/** The value a path names; undefined where anything on the way is missing. Reads own properties only. */
export function valueAt(path: string, conditionContext: ConditionContext): unknown {
  const [head, ...rest] = path.split('.')
  if (isRoot(head)) return getIn(conditionContext[head], rest)
  const inRow = conditionContext.row && Object.hasOwn(conditionContext.row, head)
  return getIn(inRow ? conditionContext.row : conditionContext.answers, [head, ...rest])
}

/** Whether a path looks elsewhere than in the answers ('record.status'). */
export function isElsewhere(path: string): boolean {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isRoot(head)
}

/** True if a path's first part names a root, not an answer. */
export function isRoot(head: string): head is (typeof ROOTS)[number] {
  return (ROOTS as readonly string[]).includes(head)
}

/** The value below `from` at a list of keys; undefined where one is missing. */
export function getIn(from: unknown, keys: string[]): unknown {
  return keys.reduce<unknown>(
    (at, key) =>
      at !== null && typeof at === 'object' && Object.hasOwn(at, key) ? (at as Values)[key] : undefined,
    from,
  )
}

/** True for an object that is no array and not null. */
export function isPlainObject(value: unknown): value is Values {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

/** Whether a value counts as answered: not missing, null, blank or an empty list. */
export function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

/** The values of some names. */
export function pick(values: Values, isWanted: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => isWanted(name)))
}

/** Whether a test names another path in the place of a literal. */
export function isOtherPath(test: Test): test is OtherPath {
  return isPlainObject(test) && typeof test.path === 'string'
}

function passes(value: unknown, test: Test, conditionContext: ConditionContext): boolean {
  if (Array.isArray(test)) return test.some((one) => equals(value, one, conditionContext))
  if (test === null || typeof test !== 'object' || isOtherPath(test))
    return equals(value, test, conditionContext)
  if (test.set !== undefined && test.set !== isSet(value)) return false
  if (test.not !== undefined && passes(value, test.not, conditionContext)) return false
  const { min, max } = test
  if (min !== undefined && !isOrdered(isOtherPath(min) ? valueAt(min.path, conditionContext) : min, value))
    return false
  if (max !== undefined && !isOrdered(value, isOtherPath(max) ? valueAt(max.path, conditionContext) : max))
    return false
  return true
}

/** Whether two numbers or two dates are both there and the second is not less. */
function isOrdered(low: unknown, high: unknown): boolean {
  return isSet(low) && isSet(high) && (asNumber(low) as number) <= (asNumber(high) as number)
}

/** A decimal number, which answers hold as a text, as a number; anything else as it is. */
export function asNumber(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,6})?$/

/** Nothing is equal to a path without a value; of lists one of each is. */
function equals(value: unknown, operand: Operand, conditionContext: ConditionContext): boolean {
  if (isOtherPath(operand)) {
    const other = valueAt(operand.path, conditionContext)
    return isSet(other) && [other].flat().some((one) => equals(value, one as Literal, conditionContext))
  }
  if (Array.isArray(value)) return value.includes(operand)
  if (typeof operand === 'number') return asNumber(value) === operand
  return operand === null ? !isSet(value) : value === operand
}

/** The paths a condition looks at, also where it compares with them, each once. */
export function pathsOf(when: When | undefined): string[] {
  const found = Object.entries(when ?? {}).flatMap(([path, test]) =>
    path === 'any' ? (test as When[]).flatMap(pathsOf) : [path, ...otherPathsOf(test as Test)],
  )
  return [...new Set(found)]
}

/** The paths that a test compares with. */
export function otherPathsOf(test: Test): string[] {
  return operandsOf(test)
    .filter(isOtherPath)
    .map(({ path }) => path)
}

/** What a test compares with: literals and paths. */
export function operandsOf(test: Test): Operand[] {
  if (Array.isArray(test)) return test
  if (test === null || typeof test !== 'object' || isOtherPath(test)) return [test]
  const { not, min, max } = test
  return [not, min, max].filter((one) => one !== undefined && one !== null).flat() as Operand[]
}

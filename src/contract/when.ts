import { fieldOfPath, type Seen, sourceOfPath } from './seen.ts'

export type Literal = string | number | boolean | null
/** Reference to the value at another path, in place of a literal. */
interface OtherPath {
  path: string
}
export type Operand = Literal | OtherPath
type Bound = number | string | OtherPath
/** Conditions of the rows of a repeat, each on the columns of one row. */
export interface RowsTest {
  /** Holds in at least one row. */
  any_row?: When
  /** There is a row, and it holds in each. */
  every_row?: When
  /** `not`, `min` and `max` test the number of rows in which it holds. */
  count_rows?: When
}
export type Test =
  | Operand
  | Operand[]
  | (RowsTest & { not?: Operand | Operand[]; min?: Bound; max?: Bound; set?: boolean; path?: undefined })
export interface When {
  any?: When[]
  [path: string]: Test | When[] | undefined
}

/**
 * The context of a condition: bare paths look in `row`, then `answers`; others begin with the name of their root, or
 * like `$case.x` with that of a record in `with`.
 */
export interface ConditionContext {
  answers?: Values
  row?: Values
  record?: Values
  form?: Values
  with?: Values
  user?: Values
  query?: Values
  /** States of the deadlines of a record by their names, for automations. */
  deadline?: Values
  /** YYYY-MM-DD where the service works, for calculations; without it, calculations that need it are undefined. */
  today?: string
  /** Bank holidays of the council area of the case, for calculations with a calendar. */
  holidays?: ReadonlySet<string>
  /** Values of records outside of the form as the record was filled in with them; paths that it lacks look in `with`. */
  seen?: Seen
  /** What the forms at the places of a document have seen; that of the place that is evaluated is `seen`. */
  seenAt?: Record<string, Seen>
  /**
   * Set for a new record, whose unanswered fields have their defaults: true for all fields without a key in `answers`,
   * or the names of the fields.
   */
  withDefaults?: boolean | Set<string>
  /** The rows of a repeat with their visible columns and calculated values; omitted: the rows count as they are. */
  rowsOf?: (name: string, rows: Values[], around: ConditionContext) => Values[]
}
export type Values = Record<string, unknown>

/** Most values of a list; longer ones are refused when they are validated. */
export const MAX_CHOSEN = 500

/** First parts of a condition's path that are not names of answers. */
export const ROOTS = ['record', 'form', 'with', 'user', 'query', 'deadline'] as const

/** True if a condition holds: keys are combined with AND, `any` with OR; `not` also holds for an unset value. */
export function holds(when: When | undefined, conditionContext: ConditionContext): boolean {
  if (!when) return true
  return Object.entries(when).every(([path, test]) =>
    path === 'any'
      ? (test as When[]).some((w) => holds(w, conditionContext))
      : passes(valueAt(path, conditionContext), test as Test, conditionContext, path),
  )
}

export function rowsWhere(when: When | undefined, path: string, context: ConditionContext): Values[] {
  const value = valueAt(path, context)
  const rows = Array.isArray(value) ? value.filter(isPlainObject) : []
  return (context.rowsOf?.(path, rows, context) ?? rows).filter((row) => {
    const own = { ...context.row }
    // A column without a value is unset, whatever is answered under its name around the row.
    for (const one of [when ?? {}, ...(when?.any ?? [])])
      for (const name of Object.keys(one)) own[name.split('.', 1)[0]] = undefined
    return holds(when, { ...context, row: { ...own, ...row } })
  })
}

function passRows(
  path: string,
  { any_row, every_row, count_rows, ...count }: RowsTest,
  context: ConditionContext,
): boolean {
  const countOf = (when?: When) => rowsWhere(when, path, context).length
  return (
    (!any_row || countOf(any_row) > 0) &&
    (!every_row || (countOf() > 0 && countOf(every_row) === countOf())) &&
    (!count_rows || passes(countOf(count_rows), count, context))
  )
}

/** The value at a path; undefined if anything on the way is missing. Reads own properties only. */
export function valueAt(path: string, conditionContext: ConditionContext): unknown {
  const [head, ...rest] = path.split('.')
  if (isRoot(head)) return getIn(conditionContext[head], rest)
  if (head.startsWith('$')) return valueOutside(path, conditionContext)
  const inRow = conditionContext.row && Object.hasOwn(conditionContext.row, head)
  return getIn(inRow ? conditionContext.row : conditionContext.answers, [head, ...rest])
}

/**
 * The value at '$client.dob': the one that was seen, else that of the record in `with`, of the answers of a case or issue
 * first.
 */
function valueOutside(path: string, { seen, with: records }: ConditionContext): unknown {
  const name = fieldOfPath(path)
  const [head, ...rest] = path.slice(1).split('.')
  if (sourceOfPath(path) && seen && Object.hasOwn(seen.values, name))
    return getIn(seen.values[name].value, rest.slice(1))
  const answer = head === 'client' ? undefined : getIn(records?.[head], ['answers', ...rest])
  return answer === undefined ? getIn(records?.[head], rest) : answer
}

/** True if a path begins at a root ('record.status') instead of an answer. */
export function isElsewhere(path: string): boolean {
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && isRoot(head)
}

/** True if the first part of a path is a root and not the name of an answer. */
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

/** True if a value counts as answered: not missing, null, blank or an empty list. */
export function isSet(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  )
}

export function pick(values: Values, predicate: (name: string) => boolean): Values {
  return Object.fromEntries(Object.entries(values).filter(([name]) => predicate(name)))
}

/** True if a test compares with another path instead of a literal. */
export function isOtherPath(test: Test): test is OtherPath {
  return isPlainObject(test) && typeof test.path === 'string'
}

/** True for a test of the rows of a repeat. */
export function isRowsTest(test: Test | undefined): boolean {
  return rowConditionsOf(test).length > 0
}

export function rowConditionsOf(test: Test | undefined): When[] {
  if (!isPlainObject(test)) return []
  const { any_row, every_row, count_rows } = test as RowsTest
  return [any_row, every_row, count_rows].filter((one) => one !== undefined)
}

function passes(value: unknown, test: Test, conditionContext: ConditionContext, path = ''): boolean {
  if (Array.isArray(test)) return test.some((one) => equals(value, one, conditionContext))
  if (test === null || typeof test !== 'object' || isOtherPath(test))
    return equals(value, test, conditionContext)
  if (isRowsTest(test)) return passRows(path, test, conditionContext)
  if (test.set !== undefined && test.set !== isSet(value)) return false
  if (test.not !== undefined && passes(value, test.not, conditionContext)) return false
  const { min, max } = test
  if (min !== undefined && !isOrdered(isOtherPath(min) ? valueAt(min.path, conditionContext) : min, value))
    return false
  if (max !== undefined && !isOrdered(value, isOtherPath(max) ? valueAt(max.path, conditionContext) : max))
    return false
  return true
}

/** True if two numbers or two dates are both set and the second is not less. */
function isOrdered(low: unknown, high: unknown): boolean {
  return isSet(low) && isSet(high) && (asNumber(low) as number) <= (asNumber(high) as number)
}

/** Converts a decimal number, which answers store as text, to a number; other values are unchanged. */
export function asNumber(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
}

const DECIMAL = /^-?\d{1,15}(\.\d{1,6})?$/

/** True if value and operand are equal; for lists, if they share an item. A path without a value equals nothing. */
function equals(value: unknown, operand: Operand, conditionContext: ConditionContext): boolean {
  if (isOtherPath(operand)) {
    const other = valueAt(operand.path, conditionContext)
    if (Array.isArray(other))
      return other.slice(0, MAX_CHOSEN).some((one) => equals(value, one, conditionContext))
    if (typeof value === 'number' && typeof other === 'string') return asNumber(other) === value
    return isSet(other) && equals(value, other as Literal, conditionContext)
  }
  if (Array.isArray(value)) return includes(value, operand)
  if (typeof operand === 'number') return asNumber(value) === operand
  return operand === null ? !isSet(value) : value === operand
}

/** Longer lists are searched by a cached set. */
const MAX_UNCACHED = 8
const sets = new WeakMap<unknown[], Set<unknown>>()

/** True if a list contains a value. The set of a long list is cached, because a condition asks for several values. */
function includes(list: unknown[], value: unknown): boolean {
  if (list.length <= MAX_UNCACHED) return list.includes(value)
  const set = sets.get(list) ?? new Set(list)
  sets.set(list, set)
  return set.has(value)
}

/**
 * The distinct paths of a condition, including those that it compares with and, as 'repeat.column', those of the rows
 * that it tests.
 */
export function pathsOf(when: When | undefined): string[] {
  return when ? [...new Set(allPathsOf(when))] : []
}

/** Within the rows of a repeat, a path is that of a column, after `prefix`. */
function allPathsOf(when: When, prefix = ''): string[] {
  return Object.entries(when).flatMap(([path, test]) =>
    path === 'any'
      ? (test as When[]).flatMap((one) => allPathsOf(one, prefix))
      : [
          path.startsWith('$') ? path : prefix + path,
          ...otherPathsOf(test as Test),
          ...rowConditionsOf(test as Test).flatMap((one) => allPathsOf(one, `${path}.`)),
        ],
  )
}

export function otherPathsOf(test: Test): string[] {
  return operandsOf(test)
    .filter(isOtherPath)
    .map(({ path }) => path)
}

/** The operands of a test: literals and paths. */
export function operandsOf(test: Test): Operand[] {
  if (Array.isArray(test)) return test
  if (test === null || typeof test !== 'object' || isOtherPath(test)) return [test]
  const { not, min, max } = test
  return [not, min, max].filter((one) => one !== undefined && one !== null).flat() as Operand[]
}

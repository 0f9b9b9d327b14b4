export type Literal = string | number | boolean | null
export type Test =
  | Literal
  | Literal[]
  | { not?: Literal | Literal[]; min?: number | string; max?: number | string; set?: boolean }
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
      : passes(valueAt(path, conditionContext), test as Test),
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

function passes(value: unknown, test: Test): boolean {
  if (Array.isArray(test)) return test.some((one) => equals(value, one))
  if (test === null || typeof test !== 'object') return equals(value, test)
  if (test.set !== undefined && test.set !== isSet(value)) return false
  if (test.not !== undefined && passes(value, test.not)) return false
  if (test.min !== undefined && !(isSet(value) && (value as number) >= (test.min as number))) return false
  if (test.max !== undefined && !(isSet(value) && (value as number) <= (test.max as number))) return false
  return true
}

function equals(value: unknown, literal: Literal): boolean {
  if (Array.isArray(value)) return value.includes(literal)
  return literal === null ? !isSet(value) : value === literal
}

/** The paths a condition looks at, each once. */
export function pathsOf(when: When | undefined): string[] {
  const found = Object.entries(when ?? {}).flatMap(([path, test]) =>
    path === 'any' ? (test as When[]).flatMap(pathsOf) : [path],
  )
  return [...new Set(found)]
}

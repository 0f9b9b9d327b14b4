import { hasAutomaticDefault, headOf, inOrder, originOfDefault, sourcesOf } from './computedDefault.ts'
import { hasPlaceholders, namesInTexts } from './filledTexts.ts'
import { TODAY } from './formula.ts'
import type { Field, Group } from './generated.ts'
import { memoised } from './memoised.ts'
import { outsidePathsOf } from './seenPaths.ts'
import { withParents } from './subgroups.ts'
import { isElsewhere, pathsOf } from './when.ts'

/** Data of a form that does not depend on answers, cached because forms are immutable. */
export interface PreparedForm {
  /** The groups and fields that are switched on. */
  groups: Group[]
  conditional: (Group | Field)[]
  /** Fields with placeholders for answers in their texts. */
  withPlaceholders: Set<Field>
  /** Fields whose default is a value from outside of the form. */
  withOrigin: Field[]
  /** Names of all fields, including switched-off ones. */
  known: Set<string>
  places: Map<string, [Group, Field][]>
  /** Calculated fields and fields with an automatic default, each after the fields that it depends on. */
  derived: Field[]
  /** Positions in `derived` by the names of the answers that a value is derived from, also within rows. */
  derivedFrom: Map<string, number[]>
  /**
   * The names that have a condition or a derived value, or whose group has a condition, each after those that it depends
   * on; undefined where some depend on each other in a circle.
   */
  order: string[] | undefined
  /** Visible groups, cached by the conditions that fail. */
  results: Map<string, Group[]>
}

/** What the columns of a row can take from outside. */
interface Outside {
  /** Names of answers. */
  names: string[]
  /** First parts of other paths. */
  roots: string[]
}

const prepared = new WeakMap<Group[], PreparedForm>()

export function prepareForm(groups: Group[]): PreparedForm {
  const done = prepared.get(groups)
  if (done) return done
  const on = withParents(groups).filter(isOn).map(withoutSwitchedOff)
  const fields = on.flatMap((g) => g.fields)
  const all = [...on, ...fields]
  const places = new Map<string, [Group, Field][]>()
  for (const group of on) for (const field of group.fields) addTo(places, field.name, [group, field])
  const unordered = fields.filter((f) => f.attrs?.calc || hasAutomaticDefault(f))
  const namesOfValue = new Map(unordered.map((field) => [field, sourceNames(field, places)]))
  const derived = inOrder(unordered, (field) => namesOfValue.get(field)!)
  const derivedFrom = new Map<string, number[]>()
  for (const [i, field] of derived.entries())
    for (const name of namesOfValue.get(field)!) addTo(derivedFrom, name, i)
  const form = {
    groups: on,
    withPlaceholders: new Set(fields.filter(hasPlaceholders)),
    withOrigin: unordered.filter((field) => originOfDefault(field) !== undefined),
    conditional: all.filter((one) => one.attrs?.when),
    known: new Set(groups.flatMap((g) => g.fields.map((f) => f.name))),
    places,
    derived,
    derivedFrom,
    order: orderOf(places, derived, namesOfValue),
    results: new Map(),
  }
  prepared.set(groups, form)
  return form
}

function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}

const withoutSwitchedOff = memoised(
  (group: Group): Group => ({ ...group, fields: group.fields.filter(isOn) }),
)

/** Returns the same groups for the same columns, so that they are prepared once for all rows. */
export const groupOfRow = memoised((fields: Field[]): Group[] => [{ name: 'row', label: 'row', fields }])

export function isGroup(one: Group | Field): one is Group {
  return !('type' in one)
}

/**
 * Names of the answers that a value is derived from: its arguments and, where one is a column of a repeat, what the
 * rows of that repeat take from outside.
 */
function sourceNames(field: Field, places: PreparedForm['places']): string[] {
  return sourcesOf(field).flatMap((argument) =>
    typeof argument === 'string' ? namesAt(argument, places) : [],
  )
}

/** The answers that a path leads to; of a column of a repeat also what its rows take from outside. */
function namesAt(path: string, places: PreparedForm['places']): string[] {
  const head = first(path)
  const repeat = path.includes('.') ? places.get(head)?.[0][1] : undefined
  return repeat?.fields ? [head, ...outsideOf(repeat.fields).names] : [head]
}

/** The groups and fields whose conditions refer to an answer, by its name. */
export function dependantsOf({ conditional, places }: PreparedForm): Map<string, (Group | Field)[]> {
  const found = new Map<string, (Group | Field)[]>()
  for (const one of conditional)
    for (const path of pathsOf(one.attrs?.when))
      for (const name of namesAt(path, places)) addTo(found, name, one)
  return found
}

/** Sorts the names topologically; undefined where there is a circle, or a derived field in two places. */
function orderOf(
  places: PreparedForm['places'],
  derived: Field[],
  namesOfValue: Map<Field, string[]>,
): string[] | undefined {
  if (derived.some(({ name }) => places.get(name)!.length > 1)) return undefined
  const derivedFromOf = new Map(derived.map((field) => [field.name, namesOfValue.get(field)!]))
  const hasCondition = (name: string) =>
    places.get(name)!.some((parts) => parts.some(({ attrs }) => attrs?.when))
  const evaluatedNames = new Set(
    [...places.keys()].filter((name) => derivedFromOf.has(name) || hasCondition(name)),
  )
  const headsOf = (one: Group | Field) => pathsOf(one.attrs?.when).flatMap((path) => namesAt(path, places))
  // A group is a node of its own, so that its condition counts once and not for each of its fields.
  const dependenciesOf = (node: string | Group): (string | Group)[] => {
    if (typeof node !== 'string') return headsOf(node)
    const own = places.get(node)!.flatMap(([group, field]) => [group, ...headsOf(field)])
    return [...own, ...(derivedFromOf.get(node) ?? [])]
  }
  const order: string[] = []
  const state = new Map<string | Group, 'open' | 'done'>()
  // An explicit stack: a chain of 2000 fields would be too deep for recursion.
  for (const start of evaluatedNames) {
    const stack: { node: string | Group; left: (string | Group)[] }[] = []
    const open = (node: string | Group) => {
      state.set(node, 'open')
      stack.push({ node, left: dependenciesOf(node) })
    }
    if (!state.has(start)) open(start)
    while (stack.length > 0) {
      const { node, left } = stack[stack.length - 1]
      const next = left.pop()
      if (next === undefined) {
        state.set(node, 'done')
        if (typeof node === 'string') order.push(node)
        stack.pop()
      } else if (state.get(next) === 'open') return undefined
      else if (!state.has(next) && (typeof next !== 'string' || evaluatedNames.has(next))) open(next)
    }
  }
  return order
}

const outsides = new WeakMap<Field[], Outside>()

/** Everything that the conditions, calculations and texts of columns refer to, including those of nested rows. */
export function outsideOf(columns: Field[]): Outside {
  const known = outsides.get(columns)
  if (known) return known
  const names = new Set<string>()
  const roots = new Set<string>()
  const add = (column: Field) => {
    if (column.attrs?.is_on === false) return
    for (const path of pathsOf(column.attrs?.when)) (isElsewhere(path) ? roots : names).add(first(path))
    if (outsidePathsOf(column).length > 0) for (const root of ['seen', 'with']) roots.add(root)
    if (column.attrs?.calendar) roots.add('holidays')
    if (column.attrs?.rows_from) names.add(column.attrs.rows_from)
    for (const argument of sourcesOf(column)) {
      if (argument === TODAY) roots.add('today')
      else if (headOf(argument) !== undefined) names.add(headOf(argument)!)
    }
    for (const name of namesInTexts(column)) names.add(name)
    column.fields?.forEach(add)
  }
  columns.forEach(add)
  const outside = { names: [...names], roots: [...roots] }
  outsides.set(columns, outside)
  return outside
}

function first(path: string): string {
  return path.split('.', 1)[0]
}

function addTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  if (!lists.get(key)?.push(value)) lists.set(key, [value])
}

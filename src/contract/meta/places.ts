import type { Field, Group } from '../generated.ts'
import { memoised } from '../memoised.ts'

/** The position of a field in a meta: its group, and the repeats around it, the outermost first. */
export interface Place {
  field: Field
  group: Group
  repeats: Field[]
  path: (string | number)[]
}

/** Most levels of nested repeats. */
export const DEEPEST = 2

/**
 * Every field of a meta with its position, the columns of a repeat right after it; levels deeper than allowed are left
 * out.
 */
export const placesOf = memoised((groups: Group[]): readonly Place[] =>
  groups.flatMap((group, g) => placesBelow(group, [], [g])),
)

function placesBelow(group: Group, repeats: Field[], at: (string | number)[]): Place[] {
  const { fields = [] } = repeats.at(-1) ?? group
  return fields.flatMap((field, i) => {
    const path = [...at, 'fields', i]
    const place = { field, group, repeats, path }
    const isDeepest = repeats.length === DEEPEST || !field.fields
    return isDeepest ? place : [place, ...placesBelow(group, [...repeats, field], path)]
  })
}

/** The top-level field of a position: answers are stored and counted under its name. */
export function topField({ field, repeats }: Pick<Place, 'field' | 'repeats'>): Field {
  return repeats[0] ?? field
}

/** The fields of a meta by name, without the columns of repeats; the same map for the same form, not to be changed. */
export const fieldsByName = memoised(
  (groups: Group[]): Map<string, Field> =>
    new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f] as const))),
)

/**
 * The fields that a condition or rule of a field can refer to: columns of its own row take precedence over those of the
 * row around it, and these over the form's fields.
 */
export function withinReach(all: Map<string, Field>, repeats: Field[]): Map<string, Field> {
  const innermost = repeats.at(-1)
  if (!innermost) return all
  const known = reaches.get(all) ?? new WeakMap<Field, Map<string, Field>>()
  reaches.set(all, known)
  const reach = known.get(innermost) ?? new Map(all)
  if (!known.has(innermost))
    for (const { fields = [] } of repeats) for (const column of fields) reach.set(column.name, column)
  known.set(innermost, reach)
  return reach
}

/** Finds the fields that something can refer to. */
export type Reach = Pick<ReadonlyMap<string, Field>, 'get' | 'has'>

/** As `withinReach`, but without a map of all fields for each repeat. */
export function reachFrom(all: Reach, repeats: Field[]): Reach {
  return repeats.reduce<Reach>((around, { fields }) => {
    const own = fields && columnsByName(fields)
    if (!own) return around
    return {
      get: (name) => own.get(name) ?? around.get(name),
      has: (name) => own.has(name) || around.has(name),
    }
  }, all)
}

const columnsByName = memoised(
  (fields: Field[]): Reach => new Map(fields.map((column) => [column.name, column])),
)

/** The fields that a condition on the rows of a repeat can refer to. */
export function reachInRows(reach: Map<string, Field>, repeat: string): Map<string, Field> {
  const field = reach.get(repeat)
  return field?.fields ? withinReach(reach, [field]) : reach
}

/** The fields within reach of the rows of each repeat, which all its columns share. */
const reaches = new WeakMap<Map<string, Field>, WeakMap<Field, Map<string, Field>>>()

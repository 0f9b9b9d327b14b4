import type { Field, Group } from '../generated.ts'

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
export function* placesOf(groups: Group[]): Generator<Place> {
  for (const [g, group] of groups.entries()) yield* placesBelow(group, [], [g])
}

function* placesBelow(group: Group, repeats: Field[], at: (string | number)[]): Generator<Place> {
  for (const [i, field] of ((repeats.at(-1) ?? group).fields ?? []).entries()) {
    const path = [...at, 'fields', i]
    yield { field, group, repeats, path }
    if (repeats.length < DEEPEST) yield* placesBelow(group, [...repeats, field], path)
  }
}

/** The top-level field of a position: answers are stored and counted under its name. */
export function topField({ field, repeats }: Pick<Place, 'field' | 'repeats'>): Field {
  return repeats[0] ?? field
}

/** The fields of a meta by name, without the columns of repeats. */
export function fieldsByName(groups: Group[]): Map<string, Field> {
  return new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f] as const)))
}

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

/** The fields that a condition on the rows of a repeat can refer to. */
export function reachInRows(reach: Map<string, Field>, repeat: string): Map<string, Field> {
  const field = reach.get(repeat)
  return field?.fields ? withinReach(reach, [field]) : reach
}

/** The fields within reach of the rows of each repeat, which all its columns share. */
const reaches = new WeakMap<Map<string, Field>, WeakMap<Field, Map<string, Field>>>()

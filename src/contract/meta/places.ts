import type { Field, Group } from '../generated.ts'

/** Where a field stands in a meta; `repeats` are those whose rows hold it, the outer one first, `group` the group around. */
export interface Place {
  field: Field
  group: Group
  repeats: Field[]
  path: (string | number)[]
}

/** Repeats that can stand inside each other. */
export const DEEPEST = 2

/** Every field of a meta with its place, columns of repeats right after their repeat; what stands deeper than it can is left out. */
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

/** The field of the form that a place is or lies in: answers are stored and counted under its name. */
export function topField({ field, repeats }: Pick<Place, 'field' | 'repeats'>): Field {
  return repeats[0] ?? field
}

/** The fields of a meta by name, without the columns of repeats. */
export function fieldsByName(groups: Group[]): Map<string, Field> {
  return new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f] as const)))
}

/** What a condition or rule of a field can name: the columns of its own row first, then those of the row around it, then the form's fields. */
export function withinReach(all: Map<string, Field>, repeats: Field[]): Map<string, Field> {
  const columns = repeats.flatMap(({ fields = [] }) => fields.map((c) => [c.name, c] as const))
  return columns.length > 0 ? new Map([...all, ...columns]) : all
}

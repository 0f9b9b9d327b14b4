import type { Field, Group } from '../generated.ts'

/** Where a field stands in a meta; `repeat` is the field whose rows hold it, `group` the group around. */
export interface Place {
  field: Field
  group: Group
  repeat?: Field
  path: (string | number)[]
}

/** Every field of a meta with its place, columns of repeats right after their repeat. */
export function* placesOf(groups: Group[]): Generator<Place> {
  for (const [g, group] of groups.entries()) {
    for (const [f, field] of group.fields.entries()) {
      const path = [g, 'fields', f]
      yield { field, group, path }
      for (const [c, column] of (field.fields ?? []).entries()) {
        yield { field: column, group, repeat: field, path: [...path, 'fields', c] }
      }
    }
  }
}

/** The fields of a meta by name, without the columns of repeats. */
export function fieldsByName(groups: Group[]): Map<string, Field> {
  return new Map(groups.flatMap((g) => g.fields.map((f) => [f.name, f] as const)))
}

/** What a condition or rule of a field can name: the form's fields, inside a repeat the columns of the same row first. */
export function withinReach(all: Map<string, Field>, repeat: Field | undefined): Map<string, Field> {
  return repeat ? new Map([...all, ...(repeat.fields ?? []).map((c) => [c.name, c] as const)]) : all
}

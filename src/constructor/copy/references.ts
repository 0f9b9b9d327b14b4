import type { Field, Group } from '../../contract/generated.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { sourceOfPath } from '../../contract/seen.ts'
import { outsidePathsOf } from '../../contract/seenPaths.ts'
import { withParents } from '../../contract/subgroups.ts'
import { copyOfField } from '../state/duplicate.ts'
import { withPaths } from '../state/withPaths.ts'

/** A field that copies refer to and that is not copied with them. */
export interface Reference {
  field: Field
  /** The labels of those that refer to it. */
  by: string[]
  /** The field of the same name and type in the form that is copied into, which the copies refer to then. */
  here?: Field
}

/** A value of the case that copies look at and that the case type does not have. */
export interface OutsideReference {
  path: string
  by: string[]
}

/** What chosen fields of a form refer to besides each other, in the order of the form. */
export function referencesOf(source: Group[], chosen: ReadonlySet<string>, into: Group[]): Reference[] {
  const by = referrers(source, chosen)
  const existing = fieldsByName(into)
  return [...fieldsByName(source).values()].flatMap((field) => {
    const labels = by.get(field.name)
    if (!labels || chosen.has(field.name)) return []
    const same = existing.get(field.name)
    return [{ field, by: [...labels], ...(same?.type === field.type && { here: same }) }]
  })
}

/** The chosen fields with all that they refer to, directly and through others, and that is not there already. */
export function withAllReferences(
  source: Group[],
  chosen: ReadonlySet<string>,
  into: Group[],
): ReadonlySet<string> {
  const all = new Set(chosen)
  for (;;) {
    const missing = referencesOf(source, all, into).filter(({ here }) => !here)
    if (missing.length === 0) return all
    for (const { field } of missing) all.add(field.name)
  }
}

/** The values of the case that chosen fields look at and that are not among the fields outside of the form. */
export function missingOutside(
  source: Group[],
  chosen: ReadonlySet<string>,
  outside: ReadonlyMap<string, Field>,
): OutsideReference[] {
  const found = new Map<string, Set<string>>()
  for (const { part, label } of partsOf(source, chosen))
    for (const path of outsidePathsOf(part))
      if (sourceOfPath(path) === 'case' && !outside.has(path))
        found.set(path, (found.get(path) ?? new Set()).add(label))
  return [...found].map(([path, by]) => ({ path, by: [...by] }))
}

/** The labels of chosen fields and their groups, by the names that they refer to. */
function referrers(source: Group[], chosen: ReadonlySet<string>): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  const noteFor = (label: string) => (name: string) => {
    found.set(name, (found.get(name) ?? new Set()).add(label))
    return name
  }
  for (const group of withParents(source)) {
    const fields = group.fields.filter(({ name }) => chosen.has(name))
    if (fields.length > 0) withPaths(group, noteFor(group.label))
    // Copying calls this for every name that the field refers to, and for its own.
    for (const field of fields) copyOfField(field, noteFor(field.label))
  }
  return found
}

interface Part {
  part: Group | Field
  label: string
}

/** The chosen fields with their columns, and the groups around them. */
function partsOf(source: Group[], chosen: ReadonlySet<string>): Part[] {
  const below = (field: Field, label: string): Part[] => [
    { part: field, label },
    ...(field.fields ?? []).flatMap((column) => below(column, label)),
  ]
  return withParents(source).flatMap((group) => {
    const fields = group.fields.filter(({ name }) => chosen.has(name))
    const own = fields.length > 0 ? [{ part: group, label: group.label }] : []
    return [...own, ...fields.flatMap((field) => below(field, field.label))]
  })
}

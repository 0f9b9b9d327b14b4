import type { Field, Group } from './generated.ts'
import { pathsOf, type Test, type When } from './when.ts'

const stripped = new WeakMap<Group[], Group[] | null>()

/**
 * The form without the conditions on the user, to find the fields that somebody may see; undefined if it has no such
 * conditions.
 */
export function forAnybody(groups: Group[]): Group[] | undefined {
  const known = stripped.get(groups)
  if (known !== undefined) return known ?? undefined
  const parts = groups.flatMap((group) => [group, ...group.fields.flatMap(withColumns)])
  const found = parts.some(({ attrs }) => pathsOf(attrs?.when).some(isOfUser))
    ? groups.map((group) => ({ ...withoutUser(group), fields: group.fields.map(fieldWithoutUser) }))
    : null
  stripped.set(groups, found)
  return found ?? undefined
}

function withColumns(field: Field): Field[] {
  return [field, ...(field.fields ?? []).flatMap(withColumns)]
}

function fieldWithoutUser(field: Field): Field {
  const own = withoutUser(field)
  return field.fields ? { ...own, fields: field.fields.map(fieldWithoutUser) } : own
}

function withoutUser<Part extends Group | Field>(part: Part): Part {
  return part.attrs?.when ? { ...part, attrs: { ...part.attrs, when: whenOf(part.attrs.when) } } : part
}

function whenOf(when: When): When {
  const tests = Object.entries(when).filter(
    ([path, test]) => path === 'any' || !pathsOf({ [path]: test as Test }).some(isOfUser),
  )
  return Object.fromEntries(
    tests.map(([path, test]) => [path, path === 'any' ? (test as When[]).map(whenOf) : test]),
  )
}

function isOfUser(path: string): boolean {
  return path.startsWith('user.')
}

import type { Group } from './generated.ts'
import type { When } from './when.ts'

/** The group under whose heading another one stands; undefined for one that stands alone. */
export function parentOf(groups: Group[], { name, attrs }: Group): Group | undefined {
  return attrs?.under === undefined || attrs.under === name
    ? undefined
    : groups.find((group) => group.name === attrs.under)
}

const known = new WeakMap<Group[], Group[]>()

/**
 * The groups as they are evaluated: one that stands under another one is visible only while that is, and switched off
 * with it. The same groups if none stands under another.
 */
export function withParents(groups: Group[]): Group[] {
  if (!groups.some(({ attrs }) => attrs?.under !== undefined)) return groups
  const done = known.get(groups) ?? groups.map((group) => withParent(group, parentOf(groups, group)))
  known.set(groups, done)
  return done
}

function withParent(group: Group, parent: Group | undefined): Group {
  const { when, is_on } = parent?.attrs ?? {}
  if (!when && is_on !== false) return group
  const attrs = { ...group.attrs, ...(is_on === false && { is_on }) }
  return { ...group, attrs: when ? { ...attrs, when: both(when, attrs.when) } : attrs }
}

/** A condition that holds while two hold; paths that are in both stay in an alternative of their own. */
export function both(one: When, other: When | undefined): When {
  if (!other) return one
  const isFree = Object.keys(other).every((path) => !Object.hasOwn(one, path))
  if (isFree) return { ...one, ...other }
  if (!one.any) return { ...one, any: [other] }
  if (!other.any) return { ...other, any: [one] }
  return { ...one, any: one.any.map((alternative) => both(alternative, other)) }
}

import type { Group } from '../../contract/generated.ts'
import { isEqual } from '../../contract/isEqual.ts'
import type { When } from '../../contract/when.ts'

/** The condition that every field of a group has, while the group itself has none; undefined for fewer than two. */
export function sharedCondition({ attrs, fields }: Group): When | undefined {
  const [first, ...others] = fields.map((field) => field.attrs?.when)
  if (attrs?.when || !first || others.length === 0) return undefined
  return others.every((when) => isEqual(when, first)) ? first : undefined
}

/** The group with the condition of all its fields as its own. */
export function withSharedCondition(group: Group): Group {
  const when = sharedCondition(group)
  if (!when) return group
  const fields = group.fields.map((field) => {
    const { when: _, ...attrs } = field.attrs!
    return { ...field, attrs }
  })
  return { ...group, attrs: { ...group.attrs, when }, fields }
}

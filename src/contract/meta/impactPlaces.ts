import type { Field, Group } from '../generated.ts'
import type { When } from '../when.ts'
import { type Place, placesOf } from './places.ts'

/** A field or column with whether it is in use where it stands. */
export interface Placed extends Place {
  key: string
  isOn: boolean
}

/** The fields and columns of a meta by key: the name, of a column those of the repeats around it in front ('family.phones.kind'). */
export function placedOf(groups: Group[]): Map<string, Placed> {
  const found = new Map<string, Placed>()
  for (const place of placesOf(groups)) {
    const { field, group, repeats } = place
    const key = [...repeats, field].map(({ name }) => name).join('.')
    found.set(key, { ...place, key, isOn: [group, ...repeats, field].every(isOn) })
  }
  return found
}

/** Whether a group or field itself is switched on. */
export function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}

/** The conditions under which a field is shown: its own and its group's. */
export function whensOf({ field, group, repeats }: Place): When[] {
  return [field.attrs?.when, repeats.length > 0 ? undefined : group.attrs?.when].filter(
    (when) => when !== undefined,
  )
}

/** Whether an item's own switch or place, not that of what stands around it, changed whether it is in use. */
export function isTurned(was: Placed, is: Placed): boolean {
  if (was.isOn === is.isOn) return false
  return isOn(was.field) !== isOn(is.field) || was.group.name !== is.group.name
}

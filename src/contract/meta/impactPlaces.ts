import type { Field, Group } from '../generated.ts'
import type { When } from '../when.ts'
import { type Place, placesOf } from './places.ts'

/** A field or column with its key; `isOn` is true if it and everything around it are switched on. */
export interface Placed extends Place {
  key: string
  isOn: boolean
}

/** The fields and columns of a meta by key: the names of the repeats around it and its own ('family.phones.kind'). */
export function placedOf(groups: Group[]): Map<string, Placed> {
  const found = new Map<string, Placed>()
  for (const place of placesOf(groups)) {
    const { field, group, repeats } = place
    const key = [...repeats, field].map(({ name }) => name).join('.')
    found.set(key, { ...place, key, isOn: [group, ...repeats, field].every(isOn) })
  }
  return found
}

/** True if a group or field itself is switched on. */
export function isOn({ attrs }: Group | Field): boolean {
  return attrs?.is_on !== false
}

/** The conditions for the visibility of a field: its own and, unless it is a column, its group's. */
export function whensOf({ field, group, repeats }: Place): When[] {
  return [field.attrs?.when, repeats.length > 0 ? undefined : group.attrs?.when].filter(
    (when) => when !== undefined,
  )
}

/** True if a field was switched on or off by its own switch or a move, and not by the switch of something around it. */
export function isToggled(was: Placed, is: Placed): boolean {
  if (was.isOn === is.isOn) return false
  return isOn(was.field) !== isOn(is.field) || was.group.name !== is.group.name
}

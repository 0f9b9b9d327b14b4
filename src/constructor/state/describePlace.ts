import { itemAt, listAt } from './address.ts'
import type { Placed } from './edit.ts'

/** Describes the position of an item for screen readers: 'place 2 of 4 in Referral'. */
export function describePlace({ groups, address }: Placed): string {
  const parent = address.slice(0, -1)
  const siblings = listAt(groups, parent)
  const place = `place ${siblings.findIndex((one) => one.name === address.at(-1)) + 1} of ${siblings.length}`
  const inside = itemAt(groups, parent)?.label
  return inside ? `${place} in ${inside}` : place
}

import { isQuestion } from '../../contract/fieldTypes.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { fieldsByName, withinReach } from '../../contract/meta/places.ts'
import { type Address, fieldAt, repeatsAround } from '../state/address.ts'

/**
 * Fields that a condition at an address can refer to, by name; inside a repeat, columns of the same row shadow fields
 * around it.
 */
export function reachOf(groups: Group[], address: Address): Map<string, Field> {
  return withinReach(fieldsByName(groups), repeatsAround(groups, address))
}

/**
 * Fields of `reachOf` that a condition is offered: not those inside its item, nor the item itself or the repeats around
 * it, which would be circular, nor notes. A check is offered its own field first.
 */
export function offeredAt(groups: Group[], address: Address, isCheck = false): Field[] {
  const own = groups.find((g) => g.name === address[0])
  const field = isCheck ? fieldAt(groups, address) : undefined
  const without = address.length === 1 ? (own?.fields.map((f) => f.name) ?? []) : address.slice(1)
  const reach = reachOf(groups, address)
  const inRows = repeatsAround(groups, address).reverse()
  const columns = inRows.flatMap(({ fields = [] }) => fields)
  const first = columns.filter((c) => reach.get(c.name) === c && !without.includes(c.name))
  const rest = [...reach.values()].filter((f) => !without.includes(f.name) && !columns.includes(f))
  return [...(field ? [field] : []), ...first, ...rest].filter(isQuestion)
}

import type { Field, Group } from '../../contract/generated.ts'
import { fieldsByName, withinReach } from '../../contract/meta/places.ts'
import { type Address, fieldAt } from '../address.ts'

/** The fields that a condition at an address can name, by name: inside a repeat the columns of the same row first. */
export function reachOf(groups: Group[], address: Address): Map<string, Field> {
  const repeat = address.length > 2 ? fieldAt(groups, address.slice(0, 2)) : undefined
  return withinReach(fieldsByName(groups), repeat)
}

/**
 * Those of them that a condition there may sensibly look at: not what it shows, nor what holds that. A check looks at
 * its own field first.
 */
export function offeredAt(groups: Group[], address: Address, isCheck = false): Field[] {
  const own = groups.find((g) => g.name === address[0])
  const field = isCheck ? fieldAt(groups, address) : undefined
  const without = address.length === 1 ? (own?.fields.map((f) => f.name) ?? []) : address.slice(1)
  const reach = reachOf(groups, address)
  const columns = address.length > 2 ? (fieldAt(groups, address.slice(0, 2))?.fields ?? []) : []
  const first = columns.filter((c) => c.name !== address.at(-1))
  const rest = [...reach.values()].filter((f) => !without.includes(f.name) && !columns.includes(f))
  return [...(field ? [field] : []), ...first, ...rest].filter(({ type }) => type !== 'note')
}

import type { Field, Group } from '../../contract/generated.ts'

/** Names on the path to an item: [group], [group, field], and below a repeat [group, field, column]. */
export type Address = readonly string[]
export type Item = Group | Field

export function itemAt(groups: Group[], address: Address): Item | undefined {
  return address.reduce<Item | undefined>(
    (at, name, depth) => (depth === 0 ? groups : at?.fields)?.find((one) => one.name === name),
    undefined,
  )
}

/** The field or column at an address; undefined if it is a group or missing. */
export function fieldAt(groups: Group[], address: Address): Field | undefined {
  return address.length > 1 ? (itemAt(groups, address) as Field | undefined) : undefined
}

/** The address of a group or field in another state of the meta, even if its group is another one there. */
export function seek(groups: Group[], address: Address): Address | undefined {
  const [, field, ...column] = address
  const group = field === undefined ? undefined : groups.find((g) => g.fields.some((f) => f.name === field))
  const there = group ? [group.name, field, ...column] : address
  return itemAt(groups, there) && there
}

/** The list right below an address: the groups, the fields of a group or the columns of a repeat. */
export function listAt(groups: Group[], address: Address): Item[] {
  return address.length === 0 ? groups : (itemAt(groups, address)?.fields ?? [])
}

/** Converts the path of a problem to an address: of the innermost group, field or column on the path. */
export function addressOf(groups: Group[], path: (string | number)[]): Address {
  const address: string[] = []
  let list: Item[] | undefined = groups
  for (let i = 0; list && (i === 0 || path[i - 1] === 'fields'); i += 2) {
    const item: Item | undefined = list[path[i] as number]
    if (item) address.push(item.name)
    list = item?.fields
  }
  return address
}

/** The repeats around the item at an address, outermost first. */
export function repeatsAround(groups: Group[], address: Address): Field[] {
  return address.slice(2).flatMap((_, i) => fieldAt(groups, address.slice(0, i + 2)) ?? [])
}

/** The address of every group, field and column, in the form's order. */
export function addressesIn(groups: Group[]): Address[] {
  const below = (item: Item, address: Address): Address[] => [
    address,
    ...(item.fields ?? []).flatMap((field) => below(field, [...address, field.name])),
  ]
  return groups.flatMap((group) => below(group, [group.name]))
}

export function isSame(a: Address | undefined, b: Address | undefined): boolean {
  return a?.join('.') === b?.join('.')
}

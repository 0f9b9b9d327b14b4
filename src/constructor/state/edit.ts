import { newFieldName, ROW_KEY } from '../../contract/fieldName.ts'
import { holdsRows, takesOneChoice } from '../../contract/fieldTypes.ts'
import type { Field, FieldAttrs, FieldType, Group, GroupAttrs, Option } from '../../contract/generated.ts'
import { canBeRow, isMatrix } from '../../contract/matrix.ts'
import { mostInnerRows } from '../../contract/repeatLimits.ts'
import { type Address, type Item, itemAt, listAt, repeatsAround } from './address.ts'
import { attrsForType } from './fieldTypes.ts'

/** A changed meta and the new address of the changed item. */
export interface Placed {
  groups: Group[]
  address: Address
}

/** Replaces the item at an address by the result of `update`. */
export function change<T extends Item>(
  groups: Group[],
  address: Address,
  update: (item: T) => Item,
): Group[] {
  const at = itemAt(groups, address)
  return changeList(groups, address.slice(0, -1), (list) =>
    list.map((item) => (item === at ? update(item as T) : item)),
  )
}

export function setLabel(groups: Group[], address: Address, label: string): Group[] {
  return change(groups, address, (item) => ({ ...item, label }))
}

/** Sets attributes; undefined removes one. */
export function setAttrs(groups: Group[], address: Address, attrs: FieldAttrs & GroupAttrs): Group[] {
  return change(groups, address, (item) => {
    const all = Object.entries({ ...item.attrs, ...attrs })
    return { ...item, attrs: Object.fromEntries(all.filter(([, value]) => value !== undefined)) }
  })
}

/**
 * Sets attributes of a field. In a matrix, the options of one row apply to all rows, each of which keeps its own
 * weights.
 */
export function setFieldAttrs(groups: Group[], address: Address, attrs: FieldAttrs): Group[] {
  const changed = setAttrs(groups, address, attrs)
  const { options } = attrs
  const group = itemAt(groups, address.slice(0, 1)) as Group | undefined
  if (!options || !group || !isMatrix(group)) return changed
  const others = group.fields.filter((field) => canBeRow(field) && field.name !== address[1])
  return others.reduce((all, { name, attrs: own }) => {
    const weightOf = (option: Option) => own!.options!.find(({ value }) => value === option.value)?.weight
    const shared = options.map(({ weight, ...option }) => {
      const kept = own!.options!.some(({ value }) => value === option.value) ? weightOf(option) : weight
      return { ...option, ...(kept !== undefined && { weight: kept }) }
    })
    return setAttrs(all, [group.name, name], { options: shared })
  }, changed)
}

/** Changes the type of a field and keeps only the attributes that apply to it. */
export function setType(groups: Group[], address: Address, type: FieldType): Group[] {
  return change<Field>(groups, address, ({ fields: _, ...field }) => ({
    ...field,
    type,
    attrs: { ...attrsForType(field.attrs, type), ...(holdsRows({ type }) && rowLimit(groups, address)) },
    ...(holdsRows({ type }) && { fields: [] }),
  }))
}

/** Adds an empty group at the end. */
export function addGroup(groups: Group[], label: string): Placed {
  const name = newFieldName(label, new Set(groups.map((g) => g.name)))
  return { groups: [...groups, { name, label, attrs: { is_on: true }, fields: [] }], address: [name] }
}

/**
 * Adds a field at the end of a group, or a column at the end of a repeat. `taken` are names that answers may still be
 * stored under, besides those in use.
 */
export function addField(
  groups: Group[],
  parent: Address,
  { label, type }: Pick<Field, 'label' | 'type'>,
  taken: Iterable<string> = [],
): Placed {
  const siblings = parent.length > 1 ? listAt(groups, parent) : groups.flatMap((g) => g.fields)
  const name = newFieldName(label, new Set([...siblings.map((f) => f.name), ...taken, ROW_KEY]))
  const group = itemAt(groups, parent.slice(0, 1)) as Group | undefined
  const row = takesOneChoice({ type }) && group && isMatrix(group) ? group.fields.find(canBeRow) : undefined
  const field: Field = {
    name,
    label,
    type,
    attrs: {
      is_on: true,
      ...(row && { options: row.attrs!.options }),
      ...(holdsRows({ type }) && rowLimit(groups, [...parent, name])),
    },
    ...(holdsRows({ type }) && { fields: [] }),
  }
  return { groups: changeList(groups, parent, (list) => [...list, field]), address: [...parent, name] }
}

const DEFAULT_MAX_ROWS = 10

/** The initial `max` of a new repeat; only a repeat inside the rows of another one must have it. */
function rowLimit(groups: Group[], address: Address): FieldAttrs {
  const around = repeatsAround(groups, address).at(-1)
  return around ? { max: Math.max(1, Math.min(DEFAULT_MAX_ROWS, mostInnerRows(around))) } : {}
}

/** Adds a text field right below a choice field, visible and required only while this choice is selected. */
export function addFollowUp(
  groups: Group[],
  address: Address,
  { value, label }: Option,
  taken: Iterable<string>,
): Placed {
  const parent = address.slice(0, -1)
  const name = address.at(-1)!
  const added = addField(
    groups,
    parent,
    { label: `${label.trim().slice(0, 180)}, please say`, type: 'text' },
    taken,
  )
  const asked = setAttrs(added.groups, added.address, { required: true, when: { [name]: value } })
  const index = listAt(groups, parent).findIndex((one) => one.name === name) + 1
  return moveTo(asked, added.address, parent, index)
}

export function remove(groups: Group[], address: Address): Group[] {
  const at = itemAt(groups, address)
  return changeList(groups, address.slice(0, -1), (list) => list.filter((item) => item !== at))
}

/** Moves an item to an index of another parent's list; the index does not count the item itself. */
export function moveTo(groups: Group[], address: Address, parent: Address, index: number): Placed {
  const item = itemAt(groups, address)
  if (!item) return { groups, address }
  const moved = changeList(remove(groups, address), parent, (list) => list.toSpliced(index, 0, item))
  return { groups: moved, address: [...parent, item.name] }
}

/**
 * Moves an item one step up (-1) or down (1); a field at the edge of its group goes to the next group. Undefined at the
 * end.
 */
export function step(groups: Group[], address: Address, by: -1 | 1): Placed | undefined {
  const parent = address.slice(0, -1)
  const siblings = listAt(groups, parent)
  const to = siblings.findIndex((one) => one.name === address.at(-1)) + by
  if (to >= 0 && to < siblings.length) return moveTo(groups, address, parent, to)
  if (address.length !== 2) return undefined
  const group = groups[groups.findIndex((g) => g.name === address[0]) + by]
  return group && moveTo(groups, address, [group.name], by > 0 ? 0 : group.fields.length)
}

/** Replaces the list right below an address by the result of `change`. */
export function changeList(groups: Group[], parent: Address, change: (list: Item[]) => Item[]): Group[] {
  const below = (list: Item[], [name, ...rest]: Address): Item[] => {
    if (name === undefined) return change(list)
    const at = list.find((item) => item.name === name)
    return list.map((item) =>
      item === at ? ({ ...item, fields: below(item.fields ?? [], rest) } as Item) : item,
    )
  }
  return below(groups, parent) as Group[]
}

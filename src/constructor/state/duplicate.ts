import { newFieldName, ROW_KEY } from '../../contract/fieldName.ts'
import type { Field, Group } from '../../contract/generated.ts'
import { limitExceeded, MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { notify } from '../../engine/core/notices.ts'
import { type Address, type Item, isSame, itemAt, listAt } from './address.ts'
import { describePlace } from './describePlace.ts'
import { changeList } from './edit.ts'
import type { EditorContextValue } from './editorContext.ts'
import { reservedNames } from './fieldUsage.ts'
import { withPaths } from './withPaths.ts'

const MARK = ' (copy)'

/** A changed meta and the addresses of the copies. */
interface Duplicated {
  groups: Group[]
  addresses: Address[]
}

/** New names of fields, or of the columns of one repeat, by their old names. */
type Names = Map<string, string>

/**
 * Copies groups, fields and columns; those of one list go right below the last original there. References to a copied
 * field inside the copies refer to its copy, all others stay. `taken` are names that answers may still be stored under,
 * besides those in use.
 */
export function duplicate(groups: Group[], addresses: Address[], taken: Iterable<string> = []): Duplicated {
  const outer = withoutInner(addresses).filter((address) => itemAt(groups, address))
  const fieldNames = groups.flatMap((g) => g.fields.map((f) => f.name))
  const used = new Set([...fieldNames, ...taken, ROW_KEY])
  const names: Names = new Map()
  for (const address of outer) {
    const item = itemAt(groups, address)!
    for (const field of address.length === 1 ? (item.fields ?? []) : address.length === 2 ? [item] : []) {
      names.set(field.name, newName(field, used))
    }
  }
  const copies: Address[] = []
  let next = groups
  for (const parent of parentsOf(outer)) {
    const chosen = listAt(groups, parent).filter((item) =>
      outer.some((one) => isSame(one, [...parent, item.name])),
    )
    const made =
      parent.length === 0
        ? copiesOfGroups(groups, chosen as Group[], names)
        : parent.length === 1
          ? (chosen as Field[]).map((field) => copyOfField(field, among(names)))
          : copiesOfColumns(listAt(groups, parent) as Field[], chosen as Field[], taken)
    const marked = made.map((item) => ({ ...item, label: withMark(item.label) }))
    copies.push(...marked.map((item) => [...parent, item.name]))
    next = changeList(next, parent, (list) => {
      const last = list.findLastIndex((item) => chosen.some((one) => one.name === item.name))
      return list.toSpliced(last + 1, 0, ...marked)
    })
  }
  return { groups: next, addresses: copies }
}

/**
 * Duplicates items of the edited form as one undoable step and announces it. Returns the addresses of the copies, none
 * if the form would exceed a limit.
 */
export function duplicateItems(editorContext: EditorContextValue, addresses: Address[]): Address[] {
  const { groups, edit, announce } = editorContext
  const made = duplicate(groups, addresses, reservedNames(editorContext))
  const [first, ...others] = made.addresses
  if (!first) return []
  const full = limitExceeded(groups, made.groups)
  if (full) {
    notify({ kind: 'error', text: full })
    return []
  }
  edit(() => made.groups, { what: 'Duplicated', at: first })
  const place = describePlace({ groups: made.groups, address: first })
  announce(
    others.length > 0
      ? `${made.addresses.length} duplicated`
      : `Duplicated: ${itemAt(made.groups, first)?.label}, ${place}`,
  )
  return made.addresses
}

/** Removes the addresses that are inside another one of them. */
export function withoutInner(addresses: Address[]): Address[] {
  const keys = new Set(addresses.map((address) => address.join('.')))
  return addresses.filter(
    (address) => !address.some((_, i) => i > 0 && keys.has(address.slice(0, i).join('.'))),
  )
}

function parentsOf(addresses: Address[]): Address[] {
  const parents = addresses.map((address) => address.slice(0, -1))
  return [...new Map(parents.map((parent) => [parent.join('.'), parent])).values()]
}

function newName({ name, label }: Item, used: Set<string>): string {
  const next = newFieldName(label.trim() || name, used)
  used.add(next)
  return next
}

function copiesOfGroups(groups: Group[], chosen: Group[], names: Names): Group[] {
  const used = new Set(groups.map((g) => g.name))
  return chosen.map((group) => ({
    ...withPaths(group, among(names)),
    name: newName(group, used),
    fields: group.fields.map((field) => copyOfField(field, among(names))),
  }))
}

/** Copies a field. The columns of a repeat keep their names, which shadow those of fields in its rows. */
export function copyOfField(field: Field, rename: (name: string) => string): Field {
  const columns = new Set(field.fields?.map((c) => c.name))
  const inRows = (name: string) => (columns.has(name) ? name : rename(name))
  return {
    ...withPaths(field, rename),
    name: rename(field.name),
    ...(field.fields && { fields: field.fields.map((column) => copyOfField(column, inRows)) }),
  }
}

function copiesOfColumns(columns: Field[], chosen: Field[], taken: Iterable<string>): Field[] {
  const used = new Set([...columns.map((c) => c.name), ...taken, ROW_KEY])
  const names = new Map(chosen.map((column) => [column.name, newName(column, used)]))
  return chosen.map((column) => copyOfField(column, among(names)))
}

function among(names: Names): (name: string) => string {
  return (name) => names.get(name) ?? name
}

function withMark(label: string): string {
  const marked = `${label.trim()}${MARK}`
  return label.trim() === '' || marked.length > MAX_LABEL_LENGTH ? label : marked
}

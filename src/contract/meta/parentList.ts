import type { Field } from '../generated.ts'
import { quoted } from '../quoted.ts'
import type { Known, ListItem, Report } from './metaTypes.ts'
import type { Reach } from './places.ts'

/** The list that a field chooses from, for a lookup with many lists, and the list of the parents of its items. */
interface ChosenList {
  list: ListItem
  parent: ListItem | undefined
}

/** The list of a field whose lookup has parent lists; undefined if its parameters refer to no known one. */
export function listOf({ attrs = {} }: Pick<Field, 'attrs'>, known: Known): ChosenList | undefined {
  const { lookup = '', lookup_params = {} } = attrs
  const { needs, parent } = Object.hasOwn(known.lookups, lookup) ? known.lookups[lookup] : {}
  if (!needs || !parent) return undefined
  const lists = known.lists?.[needs] ?? []
  const list = lists.find(({ value }) => value === lookup_params[needs])
  return list && { list, parent: lists.find(({ value }) => value === list[parent]) }
}

/** True if a field chooses from exactly this list of a lookup with many lists. */
export function choosesFrom(
  { attrs = {} }: Pick<Field, 'attrs'>,
  lookup: string,
  list: ListItem,
  known: Known,
): boolean {
  return attrs.lookup === lookup && listOf({ attrs }, known)?.list === list
}

/** Reports a field whose list is narrowed by anything but a field that chooses from its parent list. */
export function checkParentList(field: Field, known: Known, reach: Reach, report: Report): void {
  const { label, attrs = {} } = field
  const { lookup = '', lookup_params = {} } = attrs
  const by = lookup_params[lookup]
  const chosen = by === undefined ? undefined : listOf(field, known)
  if (!chosen) return
  const { list, parent } = chosen
  const path = ['attrs', 'lookup_params', lookup]
  if (!parent) {
    report(
      path,
      `'${label}' chooses from ${quoted(list.label)}, which has no parent list; remove what narrows it`,
    )
    return
  }
  const isPath = typeof by === 'string' && by.startsWith('$')
  const from = isPath ? reach.get(by.slice(1)) : undefined
  // A missing field is reported with the other parameters.
  if (isPath ? !from && !by.includes('.') : typeof by === 'number') return
  if (!from || !choosesFrom(from, lookup, parent, known))
    report(
      path,
      `'${label}' chooses from ${quoted(list.label)}, whose items belong to ${quoted(parent.label)}; narrow it by a field that chooses from ${quoted(parent.label)}`,
    )
}

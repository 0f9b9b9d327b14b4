import { newFieldName, ROW_KEY } from '../../contract/fieldName.ts'
import type { Field, FieldType, Group, GroupAttrs } from '../../contract/generated.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { both, withParents } from '../../contract/subgroups.ts'
import type { Address } from '../state/address.ts'
import { copyOfField } from '../state/duplicate.ts'
import { withPaths } from '../state/withPaths.ts'

export interface Copying {
  /** The form that fields are copied from, and the names of those that are chosen. */
  source: Group[]
  chosen: ReadonlySet<string>
  /** The form that they are copied into. */
  into: Group[]
  /** The group that they are put into; omitted: groups of their own at the end. */
  group?: string
  /** Names that a new field of a type may not take, besides those in use. */
  taken: (type: FieldType) => Iterable<string>
}

/** The form with the copies, and their addresses. */
export interface Copied {
  groups: Group[]
  addresses: Address[]
}

/**
 * Copies fields of another form with their choices, conditions and calculations. References between copied fields refer
 * to the copies; other names stay. If the copies go into an existing group, each field also gets the condition of its
 * former group.
 */
export function copyFields(copying: Copying): Copied {
  const { source, chosen, into, group } = copying
  const rename = renamed(copying)
  const copy = (field: Field) => withoutSource(copyOfField(field, rename))
  if (group !== undefined) {
    const copies = chosenGroups(withParents(source), chosen).flatMap(({ attrs, fields }) =>
      fields.map((field) => copy(withGroupSettings(field, attrs))),
    )
    return {
      groups: into.map((one) => (one.name === group ? { ...one, fields: [...one.fields, ...copies] } : one)),
      addresses: copies.map(({ name }) => [group, name]),
    }
  }
  const copied = chosenGroups(source, chosen)
  const names = groupNames(copied, into)
  const alone = new Map(withParents(source).map(({ name, attrs }) => [name, attrs]))
  const copies = copied.map((one) => {
    const parent = names.get(one.attrs?.under ?? '')
    const { under: _, ...settings } = (parent ? one.attrs : alone.get(one.name)) ?? {}
    const attrs = { ...settings, ...(parent && { under: parent }) }
    return {
      ...withPaths({ ...one, ...(one.attrs && { attrs }) }, rename),
      name: names.get(one.name)!,
      fields: one.fields.map(copy),
    }
  })
  return {
    groups: [...into, ...copies],
    addresses: copies.flatMap(({ name, fields }) => fields.map((field) => [name, field.name])),
  }
}

/** The groups with chosen fields, each with these alone. */
function chosenGroups(groups: Group[], chosen: ReadonlySet<string>): Group[] {
  return groups
    .map((group) => ({ ...group, fields: group.fields.filter(({ name }) => chosen.has(name)) }))
    .filter(({ fields }) => fields.length > 0)
}

/** The new names of chosen fields: their own where these are free. */
function renamed({ source, chosen, into, taken }: Copying): (name: string) => string {
  const used = new Set([...fieldsByName(into).keys(), ROW_KEY])
  const others = fieldsByName(source)
  const reserved = new Map<FieldType, Set<string>>()
  const names = new Map<string, string>()
  for (const { name, type } of others.values()) {
    if (!chosen.has(name)) continue
    const ofType = reserved.get(type) ?? new Set(taken(type))
    reserved.set(type, ofType)
    const isTaken = (one: string) => used.has(one) || ofType.has(one)
    // A made name must not be that of another field that the copies refer to.
    const next = isTaken(name) ? newFieldName(name, { has: (one) => isTaken(one) || others.has(one) }) : name
    used.add(next)
    names.set(name, next)
  }
  return (name) => names.get(name) ?? name
}

function groupNames(copied: Group[], into: Group[]): Map<string, string> {
  const used = new Set(into.map(({ name }) => name))
  const names = new Map<string, string>()
  for (const { name } of copied) {
    const next = used.has(name) ? newFieldName(name, used) : name
    used.add(next)
    names.set(name, next)
  }
  return names
}

/** A field with the condition and the switch of its group as its own. */
function withGroupSettings(field: Field, { when, is_on }: GroupAttrs = {}): Field {
  if (!when && is_on !== false) return field
  const attrs = { ...field.attrs, ...(is_on === false && { is_on }) }
  return { ...field, attrs: when ? { ...attrs, when: both(when, attrs.when) } : attrs }
}

/** A copy without what belongs to its form: the answers that it takes over, and its place in the public form. */
function withoutSource(field: Field): Field {
  const columns = field.fields && { fields: field.fields.map(withoutSource) }
  if (!field.attrs) return { ...field, ...columns }
  const { takes: _, referral: __, ...attrs } = field.attrs
  return { ...field, attrs, ...columns }
}

import { computedDefault, hasAutomaticDefault, headOf, sourcesOf } from './computedDefault.ts'
import type { Field, Group } from './generated.ts'
import { fieldOfPath, sourceOfPath } from './seen.ts'
import { seenPathsOf } from './seenPaths.ts'
import { withParents } from './subgroups.ts'
import { pathsOf } from './when.ts'

/**
 * Names of the fields whose condition, calculation, check, rule, number of rows or list of choices uses one of these
 * paths, directly or through another such field. Texts do not count, because they only name a value, and neither does
 * the default of a visible field, which becomes an answer of the person who saves it.
 */
export function followersOf(groups: Group[], paths: string[]): Set<string> {
  const known = followers.get(groups) ?? new Map<string, Set<string>>()
  followers.set(groups, known)
  const key = paths.join()
  const found = known.get(key) ?? findFollowers(groups, paths)
  known.set(key, found)
  return found
}

/** Caches the followers of a form by paths, because a background job asks for them with every record. */
const followers = new WeakMap<Group[], Map<string, Set<string>>>()

function findFollowers(groups: Group[], paths: string[]): Set<string> {
  const sources = new Map<string, string[]>()
  for (const group of withParents(groups)) {
    const ofGroup = pathsOf(group.attrs?.when)
    for (const field of group.fields)
      sources.set(field.name, [...(sources.get(field.name) ?? []), ...ofGroup, ...pathsOfField(field)])
  }
  const dependants = new Map<string, string[]>()
  for (const [name, all] of sources)
    for (const source of new Set(all.map(fieldOfPath)))
      dependants.set(source, [...(dependants.get(source) ?? []), name])
  const found = new Set<string>()
  const due = [...paths]
  for (let path = due.pop(); path !== undefined; path = due.pop())
    for (const name of dependants.get(path) ?? []) {
      if (found.has(name)) continue
      found.add(name)
      due.push(name)
    }
  return found
}

/** Names of the fields that depend on the last record, which not everybody who sees this record may see. */
export function followersOfLast(groups: Group[]): Set<string> {
  const paths = seenPathsOf(groups).filter((path) => sourceOfPath(path) === 'last')
  return paths.length > 0 ? followersOf(groups, paths) : NONE
}

const NONE: Set<string> = new Set()

/** The form without some fields; the same one if there are none of them. */
export function withoutFields(groups: Group[], names: ReadonlySet<string>): Group[] {
  if (names.size === 0) return groups
  return groups.map((group) => ({ ...group, fields: group.fields.filter(({ name }) => !names.has(name)) }))
}

function pathsOfField(field: Field): string[] {
  const { attrs = {}, fields = [] } = field
  const preset = computedDefault(field)
  const isSetByDefault = attrs.calc !== undefined || (attrs.hidden === true && hasAutomaticDefault(field))
  const narrowedBy = Object.values(attrs.lookup_params ?? {}).map(String)
  return [
    ...pathsOf(attrs.when),
    ...pathsOf(attrs.required_when),
    ...(attrs.checks ?? []).flatMap(({ when }) => pathsOf(when)),
    ...(attrs.rules ?? []).flatMap((rule) => rule.split(':').slice(1)),
    ...narrowedBy
      .filter((param) => param.startsWith('$') && !param.includes('.'))
      .map((param) => param.slice(1)),
    ...(isSetByDefault ? sourcesOf(field).flatMap((one) => headOf(one) ?? []) : []),
    ...(isSetByDefault && preset && !preset.calc ? [preset.from] : []),
    ...(attrs.rows_from ? [attrs.rows_from] : []),
    ...pathsOf(attrs.rows_when),
    ...fields.flatMap(pathsOfField),
  ]
}

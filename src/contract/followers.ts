import { computedDefault, hasAutomaticDefault, headOf, sourcesOf } from './computedDefault.ts'
import type { Field, Group } from './generated.ts'
import { fieldOfPath, sourceOfPath } from './seen.ts'
import { seenPathsOf } from './seenPaths.ts'
import { withParents } from './subgroups.ts'
import { pathsOf } from './when.ts'

/**
 * Names of the fields of a form that show, require, calculate or check something by one of these paths, or by a field
 * that does. Texts only name a value, and what a field began as is what somebody has answered.
 */
export function followersOf(groups: Group[], paths: string[]): Set<string> {
  const known = followers.get(groups) ?? new Map<string, Set<string>>()
  followers.set(groups, known)
  const key = paths.join()
  const found = known.get(key) ?? findFollowers(groups, paths)
  known.set(key, found)
  return found
}

/** The followers of a form by their paths: a job asks for them with every record. */
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

/** The fields that follow from the last record, which not everybody who sees this one may see. */
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

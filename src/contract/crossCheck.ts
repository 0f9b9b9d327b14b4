import { callOf, partsOf, verbOf } from './call.ts'
import { checkActions } from './checkActions.ts'
import { setRuleErrors } from './checkSetRules.ts'
import type { Contract } from './contract.ts'
import { locate, type Problem } from './locate.ts'
import type { Source } from './read.ts'
import { suggest } from './suggest.ts'
import type { Column, Section } from './types.ts'

type Path = (string | number)[]
type Say = (path: Path, message: string) => void
interface Sources {
  entities: Source[]
  endpoints: Source[]
  screens: Source[]
  query?: Source
}

/** What meta-schemas cannot see: names that only other files know, above all the fields a screen mentions. */
export function crossCheck(contract: Contract, sources: Sources): Problem[] {
  const problems: Problem[] = []
  const on = (source: Source): Say => {
    return (path, message) => problems.push({ file: source.file, ...locate(source.text, path), message })
  }
  for (const source of sources.entities) checkEntity(contract, source, on(source))
  for (const source of sources.endpoints) checkEndpoints(contract, source, on(source))
  for (const source of sources.screens) checkScreen(contract, source, on(source))
  return problems
}

function checkEntity(contract: Contract, { name, data }: Source, say: Say) {
  if (data.$id !== name) say(['$id'], `'${data.$id}' must be the file's name, '${name}'`)
  const known = Object.keys(data.properties as object)
  for (const [i, field] of ((data.required as string[]) ?? []).entries()) {
    if (!known.includes(field)) say(['required', i], `no field '${field}' in ${name}${suggest(field, known)}`)
  }
  for (const { path, message } of setRuleErrors(contract, name)) say(path, message)
  const { chosen, page } = contract.entities[name]
  if (page && !addresses(contract).has(shape(page))) say(['page'], `nothing stands at '${page}'`)
  if (!chosen) return
  const offered = Object.keys(
    contract.entities[entityOfCall(contract, chosen.from[0]) ?? '']?.properties ?? {},
  )
  for (const [i, field] of (chosen.about ?? []).entries()) {
    if (!offered.includes(field))
      say(
        ['chosen', 'about', i],
        `no field '${field}' in what ${chosen.from[0]} lists${suggest(field, offered)}`,
      )
  }
}

/** The addresses of screens and calls, whatever their parts are called. */
function addresses({ screens, endpoints }: Contract): Set<string> {
  const routes = Object.values(screens).map(({ route }) => route)
  return new Set([...routes, ...Object.values(endpoints).map((one) => callOf(one).path)].map(shape))
}

function shape(address: string): string {
  return address.replaceAll(/\{\w+\}/g, '{}')
}

function checkEndpoints(contract: Contract, { name, data }: Source, say: Say) {
  for (const key of Object.keys(data).filter((k) => k !== '$schema')) {
    const endpoint = contract.endpoints[key]
    if (key.split('.')[0] !== name)
      say([key], `'${key}' belongs into schemas/endpoints/${key.split('.')[0]}.json`)
    const verb = verbOf(endpoint)
    if (verb && !contract.entities[verb.entity]) {
      say([key, 'does'], `no entity '${verb.entity}'${suggest(verb.entity, Object.keys(contract.entities))}`)
    } else if (verb && endpoint.by) {
      const known = Object.keys(contract.entities[verb.entity].properties)
      if (!known.includes(endpoint.by)) {
        say([key, 'by'], `no field '${endpoint.by}' in ${verb.entity}${suggest(endpoint.by, known)}`)
      }
    }
  }
}

/** Every field that a screen names must be one of its entity. */
function checkScreen(contract: Contract, { data, name }: Source, say: Say) {
  const screen = contract.screens[name]
  const check = (entity: string | undefined, field: string, path: Path) => {
    const known = entity && contract.entities[entity] && Object.keys(contract.entities[entity].properties)
    if (known && !known.includes(field)) say(path, `no field '${field}' in ${entity}${suggest(field, known)}`)
  }
  const entityOf = (call: string | undefined) => call && entityOfCall(contract, call)
  const columns = (entity: string | undefined, key: string, list: (string | Column)[] = []) => {
    for (const [i, column] of list.entries()) {
      if (typeof column === 'string') check(entity, column, [key, i])
      else {
        check(entity, column.field, [key, i, 'field'])
        for (const [part, field] of Object.entries(column.record ?? {}))
          check(entity, field, [key, i, 'record', part])
      }
    }
  }
  const sections = (entity: string | undefined, path: Path, list: Section[] = []) => {
    for (const [i, section] of list.entries()) {
      const of = section.entity ?? entity
      for (const [j, field] of (section.fields ?? []).entries()) check(of, field, [...path, i, 'fields', j])
    }
  }
  if (screen.kind === 'list') {
    const entity = entityOf(screen.source)
    columns(entity, 'columns', screen.columns)
    if (screen.group) check(entity, screen.group, ['group'])
    const endpoint = contract.endpoints[screen.source]
    const known = (endpoint.query ?? []).flatMap((g) => Object.keys(contract.query[g] ?? {}))
    for (const [i, filter] of (screen.filters ?? []).entries()) {
      if (!known.includes(filter))
        say(['filters', i], `no filter '${filter}' in ${screen.source}${suggest(filter, known)}`)
    }
  }
  if (screen.kind === 'assign') {
    const entity = entityOf(screen.source)
    columns(entity, 'columns', screen.columns)
    for (const [name, field] of Object.entries(screen.assignment.narrow ?? {}))
      check(entity, field, ['assignment', 'narrow', name])
  }
  if (screen.kind === 'form') sections(entityOf(screen.read ?? screen.save), ['groups'], screen.groups)
  if (screen.kind === 'detail') {
    const entity = entityOf(screen.read)
    columns(entity, 'facts', screen.facts)
    for (const [i, tag] of (screen.tags ?? []).entries()) check(entity, tag, ['tags', i])
  }
  if (screen.kind === 'wizard') {
    for (const [i, step] of screen.steps.entries()) {
      const of = step.entity ?? 'newCase'
      if (step.entity)
        for (const [j, f] of (step.fields ?? []).entries()) check(of, f, ['steps', i, 'fields', j])
      sections(step.entity, ['steps', i, 'groups'], step.groups)
    }
  }
  checkActions(contract, data, say)
  const same = Object.entries(contract.screens).find(([n, s]) => n < name && s.route === screen.route)
  if (same) say(['route'], `'${screen.route}' is already the address of screens/${same[0]}.json`)
  const parts = partsOf(String(data.route))
  if (new Set(parts).size < parts.length) say(['route'], 'names a part twice')
}

/** The entity that a call replies with: of its verb, or as its descriptor says. */
export function entityOfCall(contract: Contract, call: string): string | undefined {
  const endpoint = contract.endpoints[call]
  return endpoint && (verbOf(endpoint)?.entity ?? endpoint.reply)
}

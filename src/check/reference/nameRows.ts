import fs from 'node:fs'
import path from 'node:path'
import { parseTree } from 'jsonc-parser'
import { entityOfCall, VERBS, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { defaultCell } from '../../contract/defaultCell.ts'
import { typeOf } from '../../contract/entity.ts'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { Column, FieldType, Property } from '../../contract/generated.ts'
import type { Source } from '../files/read.ts'
import { type Example, exampleAt, keepShortest } from './examples.ts'
import { code, type Row } from './table.ts'

/** A component of the engine that descriptors refer to, with its docstring. */
interface Component {
  name: string
  /** From the root. */
  file: string
  /** The comment above it, in one line. */
  about: string
}

type ByName = Map<string, Example>

/** A row for each verb, with the shortest call that uses it. */
export function verbRows(contract: Contract, endpoints: Source[]): Row[] {
  const examples: ByName = new Map()
  for (const { source, key, entry } of entriesOf(endpoints)) {
    const verb = contract.endpoints[key] && verbOf(contract.endpoints[key])
    if (verb) keepShortest(examples, verb.verb, exampleAt(source, entry))
  }
  return Object.entries(VERBS).map(([verb, about]) => ({
    cells: [code(verb), about],
    example: examples.get(verb),
  }))
}

/** A row for each cell, with the shortest column that it renders; columns that name the cell take precedence. */
export function cellRows(root: string, contract: Contract, screens: Source[]): Row[] {
  const named: ByName = new Map()
  const byType: ByName = new Map()
  for (const source of screens) {
    const screen = contract.screens[source.name] as { source?: string; read?: string; columns?: Column[] }
    const entity = contract.entities[entityOfCall(contract, screen.source ?? screen.read ?? '') ?? '']
    const entries =
      entriesOf([source]).find(({ key }) => ['columns', 'facts'].includes(key))?.value.children ?? []
    for (const entry of entries) {
      const column = JSON.parse(source.text.slice(entry.offset, entry.offset + entry.length)) as
        | string
        | Column
      const { field, as, link } = typeof column === 'string' ? ({ field: column } as Column) : column
      const property = entity?.properties[field]
      if (as) keepShortest(named, as, exampleAt(source, entry))
      else if (property)
        keepShortest(byType, defaultCell(property, { field, link }), exampleAt(source, entry))
    }
  }
  return componentsOf(root, 'src/engine/cells/cells.ts', 'cells').map(({ name, file, about }) => ({
    cells: [fileLink(name, file), about],
    example: named.get(name) ?? byType.get(name),
  }))
}

/** A row for each widget, with a value and the shortest property that is edited by it. */
export function widgetRows(root: string, entities: Source[], examplesOfForms: ByName): Row[] {
  const examples: ByName = new Map()
  for (const { source, key, value } of entriesOf(entities)) {
    if (key !== 'properties') continue
    for (const entry of value.children ?? []) {
      const [, node] = entry.children ?? []
      const property = JSON.parse(source.text.slice(node.offset, node.offset + node.length)) as Property
      keepShortest(examples, widgetOf(property), exampleAt(source, entry))
    }
  }
  return componentsOf(root, 'src/engine/form/theme/theme.ts', 'byType').map(({ name, file, about }) => {
    const type = FIELD_TYPES[name as FieldType]
    const value = type?.example === undefined ? '' : code(JSON.stringify(type.example))
    const words = type ? `${type.title}: ${type.about[0].toLowerCase()}${type.about.slice(1)}` : about
    return {
      cells: [fileLink(name, file), words, value],
      example: examples.get(name) ?? examplesOfForms.get(name),
    }
  })
}

function widgetOf(property: Property): string {
  if (property.readOnly) return 'readOnly'
  return property.ref ? 'ref' : typeOf(property)
}

function fileLink(name: string, file: string): string {
  return `[${code(name)}](../${file})`
}

/** The keys of files, each with the whole entry and its value. */
function entriesOf(sources: Source[]) {
  return sources.flatMap((source) =>
    (parseTree(source.text)?.children ?? []).map((entry) => ({
      source,
      entry,
      key: String(entry.children?.[0].value),
      value: entry.children![1],
    })),
  )
}

/** The components of a table in a source (`export const cells = {`), by the names that descriptors give them. */
function componentsOf(root: string, source: string, table: string): Component[] {
  const text = fs.readFileSync(path.join(root, source), 'utf8')
  const [, entries = ''] = text.match(new RegExp(`const ${table}\\b[^{]*\\{([^}]*)\\}`)) ?? []
  return [...entries.matchAll(/^ {2}(\w+): (\w+),$/gm)].map(([, name, component]) => {
    const [, from = ''] = text.match(new RegExp(`import \\{ ${component} \\} from '(.*)'`)) ?? []
    const file = path.posix.join(path.posix.dirname(source), from)
    return { name, file, about: commentAbove(fs.readFileSync(path.join(root, file), 'utf8'), component) }
  })
}

function commentAbove(text: string, component: string): string {
  const declared = text.search(new RegExp(`export (function|const) ${component}\\b`))
  const before = text.slice(0, declared).trimEnd()
  const start = before.endsWith('*/') ? before.lastIndexOf('/**') : before.length
  return before
    .slice(start)
    .replaceAll(/^\/\*\*|\*\/$/g, '')
    .replaceAll(/\s*\n \* ?/g, ' ')
    .trim()
}

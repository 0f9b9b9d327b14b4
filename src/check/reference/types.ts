import { SCOPES } from '../files/names.ts'
import type { KeyContext } from './keys.ts'
import { resolve, type Schema } from './metaSchemas.ts'
import { code } from './table.ts'

/** Descriptions of the generated lists of names, by the last part of the reference. */
const NAMES: Record<string, (link: KeyContext['link']) => string> = {
  endpoint: (link) => `${link('Call')} name`,
  entity: (link) => `${link('Entity')} name`,
  lookup: (link) => `${link('Lookup')} name`,
  body: (link) => `${link('Body')} name`,
  query: (link) => `name of a group of ${link('Parameter', 'parameters')}`,
  fieldType: (link) => `field type: ${link('Widgets')}`,
  cell: (link) => `cell name: ${link('Cells')}`,
  does: (link) => `${link('Verbs', 'verb')} and entity, or handler`,
  access: (link) => `group of ${link('Roles', 'roles')}, or list of them`,
  scope: () => `one of ${SCOPES.map(quoted).join(' ')}`,
}
const WORDS: Record<string, string> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
  null: 'null',
}

/** The type of a value in words. Objects that something refers to have a section, and are linked. */
export function typeText(
  context: KeyContext,
  schema: Schema,
  isReferred = schema.$ref !== undefined,
): string {
  const { metas, link } = context
  const of = (part: Schema) => typeText(context, part, isReferred || part.$ref !== undefined)
  const target = resolve(metas, schema)
  if (target === metas.when) return link('Conditions', 'condition')
  if (target.$ref) return nameText(target.$ref, link)
  if (target.properties) return isReferred && target.title ? link(headingOf(target)) : 'object'
  if (target.const !== undefined) return quoted(target.const)
  if (target.enum) return `one of ${target.enum.map(quoted).join(' ')}`
  if (target.anyOf) return alternativesText(target.anyOf.map(of))
  if (target.items) return `list: ${of(target.items)}`
  const { additionalProperties: entry } = target
  if (typeof entry === 'object') return `object: name to ${of(entry)}`
  const types = [target.type ?? []].flat().map((type) => WORDS[type])
  return types.join(' or ') || 'any value'
}

/** The heading of an object's section: its title, which is also the name of its type, split into words. */
export function headingOf({ title = '' }: Schema): string {
  const words = title.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return HEADINGS[words] ?? words
}

/** Headings that differ from the names of the types. */
const HEADINGS: Record<string, string> = {
  Endpoint: 'Call',
  Property: 'Field of a record',
  Field: 'Field of a form',
}

function nameText(ref: string, link: KeyContext['link']): string {
  if (ref.startsWith('icons')) return 'icon name'
  const name = ref.split('/').at(-1)!
  return NAMES[name]?.(link) ?? `${name} name`
}

function alternativesText(all: string[]): string {
  const [first, second] = all
  return second === `list: ${first}` ? `${first}, or a list of these` : all.join(' or ')
}

const quoted = (value: unknown) => code(JSON.stringify(value))

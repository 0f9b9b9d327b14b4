import { locate, type Problem } from '../../contract/locate.ts'
import { readFolder, type Source } from '../files/read.ts'
import type { Path } from '../files/report.ts'

/** A meta-schema or a part of one; `$ref` names its file too ('screen.json#/$defs/call'). */
export interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  discriminator?: { propertyName: string }
  properties?: Record<string, Schema>
  additionalProperties?: Schema | boolean
  required?: string[]
  items?: Schema
  $defs?: Record<string, Schema>
}
/** The meta-schemas by file name without its extension. */
export type MetaSchemas = Record<string, Schema>

/** Made by `npm run generate`: lists of names and of icons, not keys. */
const GENERATED = ['names', 'icons']

/** The meta-schemas of a folder, without the generated lists. */
export function readMetaSchemas(root: string): MetaSchemas {
  return Object.fromEntries(sourcesOf(root).map(({ name, data }) => [name, withFileOfRefs(data, name)]))
}

/** The schema that a `$ref` leads to in the end; a reference to a generated list stays as it is. */
export function resolve(metas: MetaSchemas, schema: Schema): Schema {
  if (!schema.$ref) return schema
  const [file, path = ''] = schema.$ref.split('#')
  const meta = metas[file.replace('.json', '')]
  if (!meta) return schema
  const below = (at: object, key: string) => (at as Record<string, object>)[key]
  return resolve(metas, path.split('/').slice(1).reduce(below, meta))
}

/** The description of a key: its own, else that of the schema that it refers to. */
export function descriptionOf(metas: MetaSchemas, schema: Schema): string | undefined {
  return schema.description ?? resolve(metas, schema).description
}

/** The schemas of the objects that a value is made of: itself, its items, its entries or its alternatives. */
export function objectsIn(metas: MetaSchemas, schema: Schema): Schema[] {
  const target = resolve(metas, schema)
  if (target.properties && !target.discriminator) return [target]
  const { items, anyOf = [], oneOf = [], additionalProperties: entries } = target
  const parts = [items, ...anyOf, ...oneOf, typeof entries === 'object' ? entries : undefined]
  return parts.flatMap((part) => (part ? objectsIn(metas, part) : []))
}

/** Every key of a meta-schema without a description, with its place. */
export function undescribedKeys(root: string): Problem[] {
  const metas = readMetaSchemas(root)
  return sourcesOf(root).flatMap(({ name, file, text }) =>
    pathsOfKeys(metas[name])
      .filter(({ schema }) => descriptionOf(metas, schema) === undefined)
      .map(({ path }) => ({
        file,
        ...locate(text, path, true),
        message: `'${path.at(-1)}' has no description: say what it means, for editors and the reference`,
      })),
  )
}

/** Where each key is defined, without `$schema` and the fixed `kind` of a screen, which need no description. */
function pathsOfKeys(schema: unknown, path: Path = []): { path: Path; schema: Schema }[] {
  if (schema === null || typeof schema !== 'object') return []
  const keys = Object.entries((schema as Schema).properties ?? {})
    .filter(([key, { const: fixed }]) => key !== '$schema' && !(key === 'kind' && fixed !== undefined))
    .map(([key, of]) => ({ path: [...path, 'properties', key], schema: of }))
  const below = Object.entries(schema).flatMap(([key, part]) =>
    key === 'properties'
      ? Object.entries(part as object).flatMap(([name, of]) => pathsOfKeys(of, [...path, key, name]))
      : pathsOfKeys(part, [...path, Array.isArray(schema) ? Number(key) : key]),
  )
  return [...keys, ...below]
}

function sourcesOf(root: string): Source[] {
  return readFolder(root, 'schemas/meta', []).filter(({ name }) => !GENERATED.includes(name))
}

/** A copy in which every `$ref` names its file. */
function withFileOfRefs<T>(part: T, name: string): T {
  if (part === null || typeof part !== 'object') return part
  if (Array.isArray(part)) return part.map((one) => withFileOfRefs(one, name)) as T
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    key === '$ref' && value.startsWith('#') ? `${name}.json${value}` : withFileOfRefs(value, name),
  ])
  return Object.fromEntries(entries)
}

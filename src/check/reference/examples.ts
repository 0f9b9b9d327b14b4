import { type Node, parseTree } from 'jsonc-parser'
import type { Source } from '../files/read.ts'
import { type MetaSchemas, resolve, type Schema } from './metaSchemas.ts'

/** A piece of a real file, on one line. */
export interface Example {
  file: string
  text: string
}
type ExampleSource = Pick<Source, 'file' | 'text'>
/** The shortest example of each part of the meta-schemas. */
export type Examples = Map<Schema, Example>

/** A file, or a part of one, and the meta-schema that it follows. */
interface Instance {
  source: ExampleSource
  schema: Schema
  node?: Node
}

/** A value, its schema, and the node that an example shows: the value with its key, if it has one. */
interface Part {
  schema: Schema
  value: Node
  entry: Node
}

/** Finds the shortest use of every key in real files; of equally short ones, that of the first file. */
export function findExamples(metas: MetaSchemas, instances: Instance[]): Examples {
  const examples: Examples = new Map()
  for (const { source, schema, node = parseTree(source.text) } of instances) {
    const visit = (part: Part): void => {
      const target = resolve(metas, part.schema)
      // An empty list is no useful example.
      const isEmpty = part.value.children?.length === 0
      for (const one of isEmpty ? [] : [part.schema, target])
        keepShortest(examples, one, exampleAt(source, part.entry))
      for (const below of partsBelow(metas, { ...part, schema: target })) visit(below)
    }
    if (node) visit({ schema, value: node, entry: node })
  }
  return examples
}

/** The parts of a value: itself with the schema of its alternative, its items and its keys. */
function partsBelow(metas: MetaSchemas, { schema, value, entry }: Part): Part[] {
  const chosen = alternative(metas, schema, value)
  const below = (value.children ?? []).flatMap((child): Part[] => {
    if (child.type !== 'property')
      return schema.items ? [{ schema: schema.items, value: child, entry: child }] : []
    const [key, of] = child.children ?? []
    const found = keySchema(schema, key.value)
    return found && of ? [{ schema: found, value: of, entry: child }] : []
  })
  return chosen ? [{ schema: chosen, value, entry }, ...below] : below
}

export function exampleAt(source: ExampleSource, { offset, length }: Node): Example {
  const text = source.text.slice(offset, offset + length).replaceAll(/\s*\n\s*/g, ' ')
  return { file: source.file, text }
}

/** Stores an example if it is shorter than the stored one. */
export function keepShortest<K>(examples: Map<K, Example>, key: K, example: Example): void {
  const before = examples.get(key)
  if (!before || example.text.length < before.text.length) examples.set(key, example)
}

function keySchema({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The alternative that a value follows: by the discriminator, else by its type and required keys. */
function alternative(metas: MetaSchemas, schema: Schema, value: Node): Schema | undefined {
  const { oneOf, anyOf, discriminator } = schema
  if (!discriminator) return [...(oneOf ?? []), ...(anyOf ?? [])].find((one) => accepts(metas, one, value))
  const name = discriminator.propertyName
  const discriminatorValue = value.children?.find(({ children }) => children?.[0].value === name)
    ?.children?.[1].value
  return oneOf?.find((one) => resolve(metas, one).properties?.[name].const === discriminatorValue)
}

function accepts(metas: MetaSchemas, schema: Schema, { type, value, children = [] }: Node): boolean {
  const target = resolve(metas, schema)
  // An unresolved reference is the name of something.
  const types = target.$ref ? ['string'] : [target.type ?? type].flat()
  const isOfType = types.includes(type) || (types.includes('integer') && Number.isInteger(value))
  const keys = type === 'object' ? children.map(({ children: pair }) => pair?.[0].value) : []
  const hasRequired = type !== 'object' || (target.required ?? []).every((key) => keys.includes(key))
  return isOfType && hasRequired && (target.enum?.includes(value) ?? true)
}

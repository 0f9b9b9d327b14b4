import { type Node, parseTree } from 'jsonc-parser'
import { position } from '../locate.ts'
import type { Source } from '../read.ts'
import { type MetaSchemas, resolve, type Schema } from './metaSchemas.ts'

/** A piece of a real file. */
export interface Example {
  file: string
  line: number
  text: string
}
/** The shortest example of each part of the meta-schemas. */
export type Examples = Map<Schema, Example>

/** A file, or a part of one, and the meta-schema that it follows. */
interface Instance {
  source: Pick<Source, 'file' | 'text'>
  schema: Schema
  node?: Node
}

/** Finds the shortest use of every key in real files; of two as short, that of the first file. */
export function findExamples(metas: MetaSchemas, instances: Instance[]): Examples {
  const examples: Examples = new Map()
  for (const { source, schema, node = parseTree(source.text) } of instances) {
    const visit = (part: Schema, value: Node, entry: Node): void => {
      const target = resolve(metas, part)
      // An empty list shows nothing.
      const isEmpty = value.children?.length === 0
      for (const one of isEmpty ? [] : [part, target]) keepShortest(examples, one, exampleAt(source, entry))
      const chosen = alternative(metas, target, value)
      if (chosen) visit(chosen, value, entry)
      for (const child of value.children ?? []) {
        if (child.type !== 'property') {
          if (target.items) visit(target.items, child, child)
          continue
        }
        const below = keySchema(target, child.children?.[0].value)
        if (below && child.children?.[1]) visit(below, child.children[1], child)
      }
    }
    if (node) visit(schema, node, node)
  }
  return examples
}

/** A node of a file on one line. */
export function exampleAt({ file, text }: Instance['source'], { offset, length }: Node): Example {
  const words = text.slice(offset, offset + length).replaceAll(/\s*\n\s*/g, ' ')
  return { file, line: position(text, offset).line, text: words }
}

/** Keeps an example where none before it is as short. */
export function keepShortest<K>(examples: Map<K, Example>, key: K, example: Example): void {
  const before = examples.get(key)
  if (!before || example.text.length < before.text.length) examples.set(key, example)
}

function keySchema({ properties = {}, additionalProperties }: Schema, key: string): Schema | undefined {
  if (Object.hasOwn(properties, key)) return properties[key]
  return typeof additionalProperties === 'object' ? additionalProperties : undefined
}

/** The alternative that a value follows: by the property that tells them apart, else by its type. */
function alternative(metas: MetaSchemas, schema: Schema, value: Node): Schema | undefined {
  const { oneOf, anyOf, discriminator } = schema
  if (!discriminator) return [...(oneOf ?? []), ...(anyOf ?? [])].find((one) => accepts(metas, one, value))
  const name = discriminator.propertyName
  const said = value.children?.find(({ children }) => children?.[0].value === name)?.children?.[1].value
  return oneOf?.find((one) => resolve(metas, one).properties?.[name].const === said)
}

function accepts(metas: MetaSchemas, schema: Schema, { type, value }: Node): boolean {
  const target = resolve(metas, schema)
  // What stays a reference is the name of something.
  const types = target.$ref ? ['string'] : [target.type ?? type].flat()
  const isOfType = types.includes(type) || (types.includes('integer') && Number.isInteger(value))
  return isOfType && (target.enum?.includes(value) ?? true)
}

import type { Examples } from './examples.ts'
import { descriptionOf, type MetaSchemas, objectsIn, resolve, type Schema } from './metaSchemas.ts'
import { code, type Row } from './table.ts'
import { headingOf, typeText } from './types.ts'

/** Keys without a row: those that every file may have, and the kind of a screen. */
export const LEFT_OUT = ['$schema', 'kind']

export interface KeyContext {
  metas: MetaSchemas
  examples: Examples
  /** Returns a link to a section of this page or of the other one; its words are by default those of the heading. */
  link: (heading: string, words?: string) => string
}

/** A row for each key of an object, also of the objects that are defined inside it; without the keys of `except`. */
export function keyRows(context: KeyContext, schema: Schema, except: string[] = LEFT_OUT): Row[] {
  const { metas, examples } = context
  const visit = ({ properties = {}, required = [] }: Schema, prefix: string): Row[] =>
    Object.entries(properties)
      .filter(([key]) => prefix !== '' || !except.includes(key))
      .flatMap(([key, part]) => {
        const type = typeText(context, part) + (required.includes(key) ? ', required' : '')
        const row: Row = {
          cells: [code(prefix + key), type, descriptionOf(metas, part) ?? ''],
          example: examples.get(part),
        }
        return [
          row,
          ...inlineObjects(metas, part).flatMap(({ at, of }) => visit(of, `${prefix}${key}${at}.`)),
        ]
      })
  return visit(schema, '')
}

/** Objects that have a section of their own because keys refer to them, in the order of traversal. */
export function sectionsBelow(metas: MetaSchemas, schemas: Schema[]): Schema[] {
  const known: Schema[] = []
  const visit = (schema: Schema): void => {
    for (const part of Object.values(schema.properties ?? {})) {
      if (resolve(metas, part) === metas.when) continue
      const inline = inlineObjects(metas, part).map(({ of }) => of)
      for (const object of objectsIn(metas, part)) {
        if (known.includes(object) || schemas.includes(object)) continue
        if (!inline.includes(object)) known.push(object)
        visit(object)
      }
    }
  }
  for (const schema of schemas) visit(schema)
  return known
}

/** The objects that a key's own definition contains, and the text between the key and their keys. */
function inlineObjects(metas: MetaSchemas, part: Schema): { at: string; of: Schema }[] {
  if (part.$ref || part.anyOf) return []
  if (part.properties) return [{ at: '', of: part }]
  if (part.items) return inlineObjects(metas, part.items).map(({ at, of }) => ({ at: `[]${at}`, of }))
  const { additionalProperties: entry } = part
  return typeof entry === 'object'
    ? inlineObjects(metas, entry).map(({ at, of }) => ({ at: `.*${at}`, of }))
    : []
}

/** The rows of the operators that a test of a condition may have. */
export function operatorRows(context: KeyContext, condition: Schema): Row[] {
  const { metas, examples } = context
  const { anyOf = [] } = resolve(metas, condition.additionalProperties as Schema)
  const operators = anyOf.flatMap((part) => {
    if (part.properties) return keyRows(context, part)
    const type = typeText(context, { ...part, title: undefined })
    return [{ cells: [headingOf(part), type, part.description ?? ''], example: examples.get(part) }]
  })
  return [...operators, ...keyRows(context, condition)]
}

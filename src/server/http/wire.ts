import { isTodayByDefault } from '../../contract/entity.ts'
import type { Body, Entity, Property } from '../../contract/generated.ts'

const DAY = { type: 'string', format: 'date' }

/** JSON Schema of a request body or a reply. */
interface WireSchema {
  type: 'object'
  title?: string
  required?: string[]
  additionalProperties: boolean
  properties: Record<string, object>
}

/**
 * Schema of the body that creates a record: no read-only properties; required ones are those of the entity, except
 * dates that are today by default.
 */
export function forCreate(entity: Pick<Entity | Body, 'properties' | 'required' | 'title'>): WireSchema {
  const required = entity.required?.filter((name) => !isTodayByDefault(entity.properties[name]))
  return { ...shape(entity, (p) => !p.readOnly), ...(required && { required }) }
}

/**
 * Schema of the body that changes a record: no required keys, no defaults, no read-only properties. `version` is the
 * version of the record that the change is based on; with answers, `case_type_version` is the version of their form.
 */
export function forUpdate(entity: Entity): WireSchema {
  const schema = shape(entity, (p) => !p.readOnly && !p.writeOnce)
  const hasAnswers = Object.values(entity.properties).some((p) => p.meta)
  const versions = {
    version: { type: 'integer' },
    ...(hasAnswers && { case_type_version: { type: 'integer' } }),
  }
  return { ...schema, properties: { ...schema.properties, ...versions } }
}

/** Schema of a reply: every property, nullable where the column is. */
export function forReply(entity: Entity): WireSchema {
  return shape(entity, () => true)
}

/**
 * Schema of a list's reply: rows and pagination; `more` means that there are more than `count`. Entities with sums also
 * have these and the days of a report's period.
 */
export function forList(entity: Entity): WireSchema {
  const summed = Object.entries(entity.properties).filter(([, { total }]) => total)
  const sums = shape({ title: 'Totals', properties: Object.fromEntries(summed) }, () => true)
  const days = { type: 'object', properties: { start: DAY, end: DAY } }
  return {
    type: 'object',
    additionalProperties: false,
    properties: {
      data: { type: 'array', items: forReply(entity) },
      pagination: {
        type: 'object',
        properties: {
          p: { type: 'integer' },
          page_size: { type: 'integer' },
          count: { type: 'integer' },
          more: { type: 'boolean' },
          num_pages: { type: 'integer' },
        },
      },
      ...(summed.length > 0 && { totals: sums, period: days }),
    },
  }
}

function shape(
  entity: Pick<Entity | Body, 'properties' | 'title'>,
  isIncluded: (p: Property) => boolean,
): WireSchema {
  return {
    type: 'object',
    ...(entity.title && { title: entity.title }),
    additionalProperties: false,
    properties: Object.fromEntries(
      Object.entries(entity.properties)
        .filter(([, p]) => isIncluded(p))
        .map(([name, p]) => [name, wireProperty(p)]),
    ),
  }
}

function wireProperty(p: Property): object {
  const { title, description, type, format, minLength, maxLength, minimum, maximum, items, options } = p
  const plain = { title, description, type, format, minLength, maxLength, minimum, maximum, items }
  const known = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined))
  if (p.embeds)
    return {
      ...known,
      type: 'object',
      required: ['id', 'label'],
      properties: { id: { type: 'integer' }, label: { type: ['string', 'null'] } },
    }
  const many = type === 'array' || (Array.isArray(type) && type.includes('array'))
  if (many) return { ...known, items: items ?? (options ? { enum: options.map((o) => o.value) } : {}) }
  if (type === 'object' || (Array.isArray(type) && type.includes('object')))
    return { ...known, additionalProperties: true }
  return options
    ? { ...known, enum: [...options.map((o) => o.value), ...(nullable(p) ? [null] : [])] }
    : known
}

function nullable({ type }: Property): boolean {
  return Array.isArray(type) && type.includes('null')
}

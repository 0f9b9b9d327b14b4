import { isTodayByDefault } from './entity.ts'
import type { Body, Entity, Property } from './generated.ts'

const DAY = { type: 'string', format: 'date' }

/** JSON Schema of a body or a reply as it crosses the wire. */
interface WireSchema {
  type: 'object'
  title?: string
  required?: string[]
  additionalProperties: boolean
  properties: Record<string, object>
}

/** The body that creates a record: nothing read-only, required as the entity says but for dates that are today by default. */
export function forCreate(entity: Pick<Entity | Body, 'properties' | 'required' | 'title'>): WireSchema {
  const required = entity.required?.filter((name) => !isTodayByDefault(entity.properties[name]))
  return { ...shape(entity, (p) => !p.readOnly), ...(required && { required }) }
}

/**
 * What changes a record: no key required, no default filled, nothing read-only; `version` says what it was based on, and
 * with answers `case_type_version` which version of the form asked for them.
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

/** What a reply holds: every property, null wherever the column may be. */
export function forReply(entity: Entity): WireSchema {
  return shape(entity, () => true)
}

/** A list's reply: rows and where they stand; `more` means there are more than `count`. Of what has sums these too, and the days of a report. */
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

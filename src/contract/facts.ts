import { verbOf } from './call.ts'
import type { Contract } from './contract.ts'
import { countsSeconds } from './fieldTypes.ts'
import type { Entity, Facts, Measure, Parameter, Property } from './generated.ts'

/** Lookup whose items are people. */
const STAFF = 'staff'

/**
 * Adds definitions derived from the facts of each entity: the entity of the figures' rows, and the query groups of the
 * figures and of the lists of the rows behind them.
 */
export function addFacts({ entities, query }: Contract): void {
  for (const [name, entity] of Object.entries(entities)) {
    const { facts } = entity
    if (!facts?.dimensions || !facts.measures || !entity.properties) continue
    const filters = dimensionFilters(entity, facts)
    entities[`${name}Figures`] = figuresEntity(`${name}Figures`, entity, facts)
    query[`${name}Filters`] = {
      start: { title: 'From', type: 'date', column: facts.day, match: 'from' },
      end: { title: 'To', type: 'date', column: facts.day, match: 'to' },
      ...filters,
    }
    query[`${name}Figures`] = {
      ...choices(entity, facts),
      start: { title: 'From', type: 'date' },
      end: { title: 'To', type: 'date' },
      ...filters,
    }
  }
}

/** The facts of the entity whose figures a call returns; undefined for other calls. */
export function factsOf(
  { entities, endpoints }: Pick<Contract, 'entities' | 'endpoints'>,
  call: string,
): Facts | undefined {
  const found = endpoints[call] && verbOf(endpoints[call])
  return found?.verb === 'figures' ? entities[found.entity]?.facts : undefined
}

/** The entity of a report's rows: the values of the dimensions, as labels and as filter values, and the measures. */
function figuresEntity($id: string, entity: Entity, { title, measures }: Facts): Entity {
  const numbers = Object.entries(measures).map(([name, measure]) => [name, measureProperty(entity, measure)])
  return {
    $id,
    title,
    of: entity.of ?? [entity.$id],
    type: 'object',
    additionalProperties: false,
    properties: {
      id: { title: 'ID', type: 'integer' },
      label: { title: 'Of', type: 'string' },
      and_label: { title: 'And', type: 'string' },
      by_value: { title: 'Value of the first dimension', type: 'string' },
      and_value: { title: 'Value of the second dimension', type: 'string' },
      ...Object.fromEntries(numbers),
    },
  }
}

/** A measure as a property; in protected figures a count is a text and other numbers are null. */
function measureProperty(
  { properties }: Entity,
  { title, count, distinct, sum, average }: Measure,
): Property {
  const { fieldType } = properties[sum ?? average ?? ''] ?? {}
  if (countsSeconds(fieldType)) return { title, type: ['integer', 'null'], fieldType, total: true }
  const type: Property['type'] =
    count || distinct ? ['integer', 'string'] : sum ? ['integer', 'string', 'null'] : ['integer', 'null']
  return { title, type, total: true }
}

function choices({ properties }: Entity, { dimensions, measures }: Facts): Record<string, Parameter> {
  const titles = (of: Record<string, { title?: string }>, names: object) =>
    Object.keys(names).map((value) => ({ value, label: of[value]?.title ?? value }))
  const fields = titles(properties, dimensions)
  return {
    by: { title: 'By', type: 'string', needed: true, options: fields },
    and: { title: 'And by', type: 'string', without: 'Nothing else', options: fields },
    measures: {
      title: 'Numbers',
      type: 'string',
      needed: true,
      several: true,
      options: titles(measures, measures),
    },
  }
}

/** A filter parameter for each dimension, under the dimension's name. */
function dimensionFilters({ properties }: Entity, { dimensions }: Facts): Record<string, Parameter> {
  const filters = Object.keys(dimensions).flatMap((name) => {
    const property = properties[name]
    return property ? [[name, filterOf(name, property)]] : []
  })
  return Object.fromEntries(filters)
}

function filterOf(column: string, { title, type, lookup, options }: Property): Parameter {
  return {
    title,
    type: [type].flat().includes('integer') ? 'integer' : 'string',
    column,
    match: 'is',
    ...(lookup && { lookup }),
    ...(lookup === STAFF && { person: true }),
    ...(options && {
      options: options.flatMap(({ value, label }) => (value === null ? [] : [{ value, label }])),
    }),
  }
}

import type { Entity, Existing, Property } from '../../../contract/generated.ts'
import { deathOf, formatLifespan } from '../../../contract/lifespan.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { formatDate } from '../../core/dates.ts'
import { today } from '../../core/today.ts'

/** Most details of a found record, which should fit on a line. */
const MAX_DETAILS = 4

type Described = Pick<Existing, 'name' | 'details'>

interface Detail {
  key: string
  title: string
  text: string
}

/** The name of a found record, and what distinguishes it from others of that name, such as a date of birth. */
export function describeFound(
  entity: Entity,
  existing: Described,
  item: Values,
): { name: string; details: string } {
  const isText = (property: Property) => !property.format && [property.type].flat().includes('string')
  const isName = (key: string, property: Property) =>
    existing.name ? existing.name.includes(key) : isText(property)
  return {
    name: filled(entity, item)
      .filter(([key, property]) => isName(key, property))
      .map(([key]) => item[key])
      .join(' '),
    details: listedDetails(entity, existing, item)
      .map(({ title, text }) => `${title} ${text}`)
      .join(' · '),
  }
}

/** The details that fit on a line, and the number of the record. */
export function listedDetails(entity: Entity, existing: Described, item: Values): Detail[] {
  const id = { key: 'id', title: entity.properties.id?.title ?? 'ID', text: String(item.id) }
  return [...detailsOf(entity, existing, item).slice(0, MAX_DETAILS), id]
}

/** All details of a found record that it has. */
export function detailsOf(entity: Entity, { details }: Described, item: Values): Detail[] {
  const known = filled(entity, item)
  const deaths = known.map(([, { diedOn }]) => diedOn)
  const isDetail = (key: string, { format }: Property) =>
    details ? details.includes(key) : format === 'date' && !deaths.includes(key)
  const textOf = (key: string, property: Property) => {
    if (property.diedOn)
      return formatLifespan({ born: item[key], died: deathOf(property, item), today: today(), formatDate })
    return formatDate(String(item[key])).replaceAll(/\s*\n\s*/g, ', ')
  }
  return known
    .filter(([key, property]) => isDetail(key, property))
    .map(([key, property]) => ({ key, title: property.title, text: textOf(key, property) }))
}

function filled(entity: Entity, item: Values): [string, Property][] {
  return Object.entries(entity.properties).filter(([key]) => isSet(item[key]))
}

/** Why a record was found: 'Same date of birth; surname one letter apart'; '' without reasons. */
export function reasonsOf({ reasons }: Pick<Existing, 'reasons'>, item: Values): string {
  const words = ((reasons && item[reasons]) ?? []) as string[]
  return capitalised(words.join('; '))
}

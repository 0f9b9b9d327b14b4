import type { Entity, Existing, Property } from '../../../contract/generated.ts'
import { deathOf, formatLifespan } from '../../../contract/lifespan.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { formatDate } from '../../core/dates.ts'
import { today } from '../../core/today.ts'

/** Most details of a found record, which should fit on a line. */
const MAX_DETAILS = 4

/** The name of a found record, and what distinguishes it from others of that name, such as a date of birth. */
export function describeFound(
  entity: Entity,
  existing: Pick<Existing, 'name' | 'details'>,
  item: Values,
): { name: string; details: string } {
  const filled = Object.entries(entity.properties).filter(([key]) => isSet(item[key]))
  const isText = (property: Property) => !property.format && [property.type].flat().includes('string')
  const deaths = filled.map(([, { diedOn }]) => diedOn)
  const isDetail = (key: string, { format }: Property) =>
    existing.details ? existing.details.includes(key) : format === 'date' && !deaths.includes(key)
  const isName = (key: string, property: Property) =>
    existing.name ? existing.name.includes(key) : isText(property)
  const textOf = (key: string, property: Property) => {
    if (property.diedOn)
      return formatLifespan({ born: item[key], died: deathOf(property, item), today: today(), formatDate })
    return formatDate(String(item[key])).replaceAll(/\s*\n\s*/g, ', ')
  }
  return {
    name: filled
      .filter(([key, property]) => isName(key, property))
      .map(([key]) => item[key])
      .join(' '),
    details: [
      ...filled
        .filter(([key, property]) => isDetail(key, property))
        .slice(0, MAX_DETAILS)
        .map(([key, property]) => `${property.title} ${textOf(key, property)}`),
      `${entity.properties.id?.title ?? 'ID'} ${item.id}`,
    ].join(' · '),
  }
}

/** Why a record was found: 'Same date of birth; surname one letter apart'; '' without reasons. */
export function reasonsOf({ reasons }: Pick<Existing, 'reasons'>, item: Values): string {
  const words = ((reasons && item[reasons]) ?? []) as string[]
  return capitalised(words.join('; '))
}

import type { Entity } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { formatDate } from '../cells/dates.ts'

/** What a found record is called, and what tells it from others of the same name, as its entity has texts and dates. */
export function describeRecord(entity: Entity, item: Values): { name: string; details: string } {
  const filled = Object.entries(entity.properties).filter(([key]) => isSet(item[key]))
  const isText = ([, property]: (typeof filled)[number]) =>
    !property.format && [property.type].flat().includes('string')
  const dates = filled.filter(([, property]) => property.format === 'date')
  return {
    name: filled
      .filter(isText)
      .map(([key]) => item[key])
      .join(' '),
    details: [
      ...dates.map(([key, { title }]) => `${title} ${formatDate(String(item[key]))}`),
      `${entity.properties.id?.title ?? 'ID'} ${item.id}`,
    ].join(' · '),
  }
}

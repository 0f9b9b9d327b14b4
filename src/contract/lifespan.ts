import type { Property } from './generated.ts'
import { isSet, type Values } from './when.ts'

/** Days as YYYY-MM-DD: date of birth and of death, if known, and today. */
interface Lifespan {
  born: unknown
  died: unknown
  today: string
  formatDate: (day: string) => string
}

/** '4 June 1950 (76)'; of somebody who died '7 May 1931 – 3 June 2026, died at 95'; '' if neither day is known. */
export function formatLifespan({ born, died, today, formatDate }: Lifespan): string {
  const [birth, death] = [born, died].map((day) => (isSet(day) ? String(day) : undefined))
  if (birth && death) return `${formatDate(birth)} – ${formatDate(death)}, died at ${ageOn(death, birth)}`
  if (birth) return `${formatDate(birth)} (${ageOn(today, birth)})`
  return death ? `died on ${formatDate(death)}` : ''
}

/** Whole years from one day to another, both YYYY-MM-DD. */
export function ageOn(day: string, born: string): number {
  const years = Number(day.slice(0, 4)) - Number(born.slice(0, 4))
  return day.slice(5, 10) < born.slice(5, 10) ? years - 1 : years
}

/** The date of death of the person whom a property is about, by the row; undefined if there is none. */
export function deathOf({ diedOn }: Pick<Property, 'diedOn'>, row: Values): string | undefined {
  return diedOn && isSet(row[diedOn]) ? String(row[diedOn]) : undefined
}

/** The date of death in a row of any entity. */
export function deathInRow(properties: Record<string, Property>, row: Values): string | undefined {
  return Object.values(properties)
    .map((property) => deathOf(property, row))
    .find(Boolean)
}

/** The word for somebody who has died. */
export const DIED = 'Died'

/** The label of the status of a person; an active one who has died is not called active. */
export function statusLabels(property: Property, labels: string[], row: Values): string[] {
  if (!deathOf(property, row)) return labels
  const active = property.options?.[0]?.label
  return [DIED, ...labels.filter((label) => label !== active)]
}

import type { Field, Group } from '../generated.ts'
import { quoted } from './quoted.ts'

/** How many there may be: groups and fields of a form, columns of a repeat, choices and checks of a field, parts of a condition. */
export const MOST = {
  groups: 200,
  fields: 2000,
  columns: 50,
  choices: 500,
  checks: 10,
  conditions: 25,
  alternatives: 25,
} as const

/** From this part of a limit on, people are told how near it is. */
const NEAR = 0.8

/** "1612 of 2000 fields", once a limit is near; '' before. Once it is reached, also what to do. */
export function nearLimit(what: keyof typeof MOST, count: number): string {
  const most = MOST[what]
  if (count < most * NEAR) return ''
  const words = `${count} of ${most} ${what}`
  return count < most ? words : `${words}: remove one before you add another`
}

/** How many fields stand in a group or repeat, with all that stands in these. */
export function countFields({ fields = [] }: Pick<Group | Field, 'fields'>): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field), 0)
}

/** Why a form cannot become another one that has more of something than it may; undefined where it can. */
export function limitExceeded(before: Group[], after: Group[]): string | undefined {
  const counts = (groups: Group[]) => ({
    groups: groups.length,
    fields: groups.reduce((sum, group) => sum + countFields(group), 0),
  })
  const [was, is] = [counts(before), counts(after)]
  for (const what of ['groups', 'fields'] as const)
    if (is[what] > MOST[what] && is[what] > was[what])
      return `A form may have ${MOST[what]} ${what}, and this one has ${was[what]}; remove some before you add more`
  const tooWide = repeatsOf(after).find(
    ({ name, fields = [] }) =>
      fields.length > MOST.columns &&
      fields.length > (repeatsOf(before).find((one) => one.name === name)?.fields?.length ?? 0),
  )
  return (
    tooWide &&
    `${quoted(tooWide.label, tooWide.name)} may have ${MOST.columns} columns; remove one before you add another`
  )
}

function repeatsOf(groups: Pick<Group | Field, 'fields'>[]): Field[] {
  return groups.flatMap(({ fields = [] }) => fields.flatMap((field) => [field, ...repeatsOf([field])]))
}

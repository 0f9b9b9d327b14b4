import type { Field, Group } from '../generated.ts'
import { quoted } from '../quoted.ts'

/**
 * Limits: groups and fields of a form, columns of a repeat, choices and checks of a field, parts of a condition, values
 * by conditions.
 */
export const FORM_LIMITS = {
  groups: 200,
  fields: 2000,
  columns: 50,
  choices: 500,
  checks: 10,
  conditions: 25,
  alternatives: 25,
  values: 50,
} as const

/** Most characters of a label, also of that of a group or a choice. */
export const MAX_LABEL_LENGTH = 500

/** Fraction of a limit from which people are warned. */
const NEAR = 0.8

/** Warning near a limit: "1612 of 2000 fields", with advice once it is reached; '' below. */
export function nearLimit(what: keyof typeof FORM_LIMITS, count: number): string {
  const most = FORM_LIMITS[what]
  if (count < most * NEAR) return ''
  const words = `${count} of ${most} ${what}`
  return count < most ? words : `${words}: remove one before you add another`
}

/** Number of fields in a group or repeat, including nested ones. */
export function countFields({ fields = [] }: Pick<Group | Field, 'fields'>): number {
  return fields.reduce((sum, field) => sum + 1 + countFields(field), 0)
}

/** Error of an edit that grows a form beyond a limit; undefined if it is allowed. */
export function limitExceeded(before: Group[], after: Group[]): string | undefined {
  const counts = (groups: Group[]) => ({
    groups: groups.length,
    fields: groups.reduce((sum, group) => sum + countFields(group), 0),
  })
  const [was, is] = [counts(before), counts(after)]
  for (const what of ['groups', 'fields'] as const)
    if (is[what] > FORM_LIMITS[what] && is[what] > was[what])
      return `A form may have ${FORM_LIMITS[what]} ${what}, and this one has ${was[what]}; remove some before you add more`
  const tooWide = repeatsOf(after).find(
    ({ name, fields = [] }) =>
      fields.length > FORM_LIMITS.columns &&
      fields.length > (repeatsOf(before).find((one) => one.name === name)?.fields?.length ?? 0),
  )
  return (
    tooWide &&
    `${quoted(tooWide.label, tooWide.name)} may have ${FORM_LIMITS.columns} columns; remove one before you add another`
  )
}

function repeatsOf(groups: Pick<Group | Field, 'fields'>[]): Field[] {
  return groups.flatMap(({ fields = [] }) => fields.flatMap((field) => [field, ...repeatsOf([field])]))
}

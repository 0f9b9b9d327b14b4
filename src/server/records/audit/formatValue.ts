import { dayInWords } from '../../../contract/days.ts'
import { FIELD_TYPES, holdsRows } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { formatWeek, weekOf } from '../../../contract/week.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { YES_NO_LABELS } from '../../../contract/yesNo.ts'

/** Labels of lookup items by lookup and value. */
export type Labels = Record<string, Map<number, string>>

/** '31 January 2026, 10:42' for a moment in ISO. */
export function formatMoment(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(new Date(moment)).replace(' at ', ', ')
}

/** Formats a stored value for display; empty without a value. */
export function formatValue(value: unknown, field: Field, labels: Labels): string {
  if (!isSet(value)) return ''
  if (holdsRows(field))
    return (value as Values[]).map((row) => partsOf(field.fields ?? [], row, labels).join(', ')).join('; ')
  if (Array.isArray(value)) return formatChoices(value, field, labels)
  if (typeof value === 'boolean') return value ? YES_NO_LABELS.yes : YES_NO_LABELS.no
  return FIELD_TYPES[field.type].words?.(value, field) ?? formatChoice(value, field, labels)
}

/** Formats several choices; half days of a week are grouped by day, in the order of the week. */
function formatChoices(values: unknown[], field: Field, labels: Labels): string {
  const week = weekOf(field.attrs?.options ?? [])
  return week ? formatWeek(week, values) : values.map((one) => formatChoice(one, field, labels)).join(', ')
}

function formatChoice(value: unknown, { attrs }: Field, labels: Labels): string {
  // The value of a field that was removed from the case type.
  if (value !== null && typeof value === 'object') return Object.values(value).filter(isSet).join(', ')
  const option = attrs?.options?.find((o) => o.value === value)
  return option?.label ?? labels[attrs?.lookup ?? '']?.get(Number(value)) ?? String(value)
}

function partsOf(fields: Field[], row: Values, labels: Labels): string[] {
  return fields.map((field) => formatValue(row?.[field.name], field, labels)).filter(Boolean)
}

/** Formats '2026-01-31' as '31 January 2026', as pages do; other texts are unchanged. */
export function formatDate(day: string): string {
  return dayInWords(day.slice(0, 10)) ?? day
}

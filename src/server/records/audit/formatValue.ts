import { formatDecimal } from '../../../contract/decimal.ts'
import type { Field } from '../../../contract/generated.ts'
import { formatWeek, weekOf } from '../../../contract/week.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { YES_NO_LABELS } from '../../../contract/yesNo.ts'

/** Labels of lookup items by lookup and value. */
export type Labels = Record<string, Map<number, string>>

const YES_NO: Record<string, string> = {
  ...YES_NO_LABELS,
  true: YES_NO_LABELS.yes,
  false: YES_NO_LABELS.no,
}

type Format = (value: unknown, field: Field, labels: Labels) => string

const FORMATS: Partial<Record<Field['type'], Format>> = {
  yesno: (value) => YES_NO[String(value)] ?? String(value),
  date: (value) => formatDate(String(value)),
  month: (value) => formatDay(`${value}-01`, MONTH, String(value)),
  decimal: formatDecimal,
  money: formatDecimal,
  duration: (value) =>
    `${Math.floor(Number(value) / 3600)}:${String(Math.floor((Number(value) % 3600) / 60)).padStart(2, '0')}`,
  file: () => 'a file',
  signature: () => 'signed',
  contact: (value) =>
    Object.values(value as Values)
      .filter(isSet)
      .join(', '),
  repeat: (rows, { fields = [] }, labels) =>
    (rows as Values[]).map((row) => partsOf(fields, row, labels).join(', ')).join('; '),
}

/** '31 January 2026, 10:42' for a moment in ISO. */
export function formatMoment(moment: string, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone })
  return format.format(new Date(moment)).replace(' at ', ', ')
}

/** Formats a stored value for display; empty without a value. */
export function formatValue(value: unknown, field: Field, labels: Labels): string {
  if (!isSet(value)) return ''
  if (Array.isArray(value) && field.type !== 'repeat') return formatChoices(value, field, labels)
  const format = FORMATS[field.type]
  if (format) return format(value, field, labels)
  if (typeof value === 'boolean') return YES_NO[String(value)]
  return formatChoice(value, field, labels)
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

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats '2026-01-31' as '31 January 2026', as pages do; other texts are unchanged. */
export function formatDate(day: string): string {
  return formatDay(day, DAY)
}

function formatDay(day: string, format: Intl.DateTimeFormat, unknown = day): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`)
  return Number.isNaN(date.getTime()) ? unknown : format.format(date)
}

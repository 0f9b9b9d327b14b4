import type { Field } from '../../contract/types.ts'
import { weekOf, weekText } from '../../contract/week.ts'
import { isSet, type Values } from '../../contract/when.ts'

/** Labels of lookup items by lookup and value. */
export type Labels = Record<string, Map<number, string>>

const YES_NO: Record<string, string> = {
  yes: 'Yes',
  no: 'No',
  not_known: 'Not known',
  true: 'Yes',
  false: 'No',
}

type Write = (value: unknown, field: Field, labels: Labels) => string

const WRITE: Partial<Record<Field['type'], Write>> = {
  yesno: (value) => YES_NO[String(value)] ?? String(value),
  date: (value) => dayText(String(value)),
  duration: (value) =>
    `${Math.floor(Number(value) / 3600)}:${String(Math.floor((Number(value) % 3600) / 60)).padStart(2, '0')}`,
  file: () => 'a file',
  contact: (value) =>
    Object.values(value as Values)
      .filter(isSet)
      .join(', '),
  repeat: (rows, { fields = [] }, labels) =>
    (rows as Values[]).map((row) => partsOf(fields, row, labels).join(', ')).join('; '),
}

/** A stored value as a person reads it; empty where there is none. */
export function valueText(value: unknown, field: Field, labels: Labels): string {
  if (!isSet(value)) return ''
  if (Array.isArray(value) && field.type !== 'repeat') return choicesText(value, field, labels)
  const write = WRITE[field.type]
  if (write) return write(value, field, labels)
  if (typeof value === 'boolean') return YES_NO[String(value)]
  return choiceText(value, field, labels)
}

/** Half days of a week are grouped by day, in the order of the week. */
function choicesText(values: unknown[], field: Field, labels: Labels): string {
  const week = weekOf(field.attrs?.options ?? [])
  return week ? weekText(week, values) : values.map((one) => choiceText(one, field, labels)).join(', ')
}

function choiceText(value: unknown, { attrs }: Field, labels: Labels): string {
  // Of a field that the case type does not have any more.
  if (value !== null && typeof value === 'object') return Object.values(value).filter(isSet).join(', ')
  const option = attrs?.options?.find((o) => o.value === value)
  return option?.label ?? labels[attrs?.lookup ?? '']?.get(Number(value)) ?? String(value)
}

function partsOf(fields: Field[], row: Values, labels: Labels): string[] {
  return fields.map((field) => valueText(row?.[field.name], field, labels)).filter(Boolean)
}

/** '2026-01-31' as '31/01/2026'. */
function dayText(day: string): string {
  const [year, month, date] = day.slice(0, 10).split('-')
  return date ? `${date}/${month}/${year}` : day
}

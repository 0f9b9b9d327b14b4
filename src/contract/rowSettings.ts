import { describeAnswer } from './describeAnswer.ts'
import { FIELD_TYPES, holdsRows } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { mostRows } from './repeatLimits.ts'
import { asNumber, type ConditionContext, isPlainObject, isSet, type Values, valueAt } from './when.ts'

/** What a row of a repeat is called: "Visit 2". */
export function rowName({ label, attrs }: Field, index: number): string {
  return `${attrs?.row_label ?? label} ${index + 1}`
}

/** How many rows a repeat must have by the answer to its `rows_from`; undefined without one or without an answer. */
export function requestedRows(field: Field, conditionContext: ConditionContext): number | undefined {
  const from = field.attrs?.rows_from
  const count = from && holdsRows(field) ? asNumber(valueAt(from, conditionContext)) : undefined
  return typeof count === 'number' && count >= 0 ? Math.min(Math.floor(count), mostRows(field)) : undefined
}

/** The rows of a repeat in the order of its 'sort_by', those without an answer last; rows in rows too. */
export function sortedRows(field: Field, value: unknown): unknown {
  if (!holdsRows(field) || !Array.isArray(value)) return value
  const nested = (field.fields ?? []).filter((column) => holdsRows(column) && isSorted(column))
  const rows = nested.length > 0 ? value.map((row) => withNested(row, nested)) : value
  const { sort_by, sort_down } = field.attrs ?? {}
  const column = field.fields?.find(({ name }) => name === sort_by)
  if (!column) return rows
  const keyed = rows.map((row) => ({
    row,
    key: isPlainObject(row) ? sortKey(column, row[column.name]) : undefined,
  }))
  const sign = sort_down ? -1 : 1
  const compared = keyed.toSorted((a, b) => {
    if (a.key === undefined || b.key === undefined)
      return Number(a.key === undefined) - Number(b.key === undefined)
    return a.key === b.key ? 0 : sign * (a.key < b.key ? -1 : 1)
  })
  return compared.every(({ row }, i) => row === value[i]) ? value : compared.map(({ row }) => row)
}

function isSorted({ attrs, fields = [] }: Field): boolean {
  return attrs?.sort_by !== undefined || fields.some((column) => holdsRows(column) && isSorted(column))
}

function withNested(row: unknown, nested: Field[]): unknown {
  if (!isPlainObject(row)) return row
  const sorted: Values = {}
  for (const column of nested)
    if (column.name in row) sorted[column.name] = sortedRows(column, row[column.name])
  return { ...row, ...sorted }
}

/** What rows are sorted by: a number, a text without capitals, the place of a choice, the label of a list's item. */
function sortKey(column: Field, value: unknown): number | string | undefined {
  if (!isSet(value)) return undefined
  const options = column.attrs?.options ?? FIELD_TYPES[column.type].ownChoices?.(column.attrs)
  if (options) return options.findIndex((option) => option.value === value)
  if (typeof value === 'number') return value
  const number = FIELD_TYPES[column.type].decimal ? asNumber(value) : value
  return typeof number === 'number' ? number : describeKey(column, value)
}

function describeKey(column: Field, value: unknown): string {
  return typeof value === 'string' ? value.toLowerCase() : describeAnswer(column, value)
}

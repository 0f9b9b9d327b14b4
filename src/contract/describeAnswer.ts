import { FIELD_TYPES, holdsRows } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { quoted } from './quoted.ts'
import { YES_NO_LABELS } from './yesNo.ts'

/** Returns the label of a lookup item; undefined if it is not known. */
export type ItemLabel = (lookup: string, value: number) => string | undefined

const MAX_LENGTH = 80
const MANY = 10

/**
 * Formats a value of a field: labels of choices, hours of a duration; 'item 14' for a lookup item without a known
 * label.
 */
export function describeAnswer(field: Field | undefined, value: unknown, itemLabel?: ItemLabel): string {
  if (Array.isArray(value)) {
    if (field && holdsRows(field)) return value.length === 1 ? '1 row' : `${value.length} rows`
    const some = value.slice(0, MANY).map((one) => describeAnswer(field, one, itemLabel))
    return [...some, ...(value.length > MANY ? [`${value.length - MANY} more`] : [])].join(', ')
  }
  if (value === undefined || value === null || value === '') return 'no value'
  if (typeof value === 'object') return 'filled in'
  if (typeof value === 'boolean') return value ? YES_NO_LABELS.yes : YES_NO_LABELS.no
  const { options, lookup } = field?.attrs ?? {}
  const option = options?.find((o) => o.value === value)
  if (option) return plain(option.label) || String(value)
  if (lookup && typeof value === 'number') return plain(itemLabel?.(lookup, value) ?? '') || `item ${value}`
  return (field && FIELD_TYPES[field.type].words?.(value, field)) || plain(String(value))
}

/** Shortens a text as `quoted` does, without quotes. */
function plain(text: string): string {
  return text.length > MAX_LENGTH ? quoted(text).slice(1, -1) : text.trim()
}

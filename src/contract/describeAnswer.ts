import { formatDecimal, isDecimal } from './decimal.ts'
import type { Field } from './generated.ts'
import { quoted } from './quoted.ts'
import { wordsAt } from './scale.ts'
import { YES_NO_LABELS } from './yesNo.ts'

/** Returns the label of a lookup item; undefined if it is not known. */
export type ItemLabel = (lookup: string, value: number) => string | undefined

const DAY = /^\d{4}-\d{2}-\d{2}$/
const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/
const LONGEST = 80
const MANY = 10

/**
 * Formats a value of a field: labels of choices, hours of a duration; 'item 14' for a lookup item without a known
 * label.
 */
export function describeAnswer(field: Field | undefined, value: unknown, itemLabel?: ItemLabel): string {
  if (Array.isArray(value)) {
    if (field?.type === 'repeat') return value.length === 1 ? '1 row' : `${value.length} rows`
    const some = value.slice(0, MANY).map((one) => describeAnswer(field, one, itemLabel))
    return [...some, ...(value.length > MANY ? [`${value.length - MANY} more`] : [])].join(', ')
  }
  if (value === undefined || value === null || value === '') return 'no value'
  if (typeof value === 'object') return 'filled in'
  if (field?.type === 'signature') return 'signed'
  if (typeof value === 'boolean') return value ? YES_NO_LABELS.yes : YES_NO_LABELS.no
  if (field?.type === 'yesno' && Object.hasOwn(YES_NO_LABELS, value as string))
    return YES_NO_LABELS[value as string]
  const { options, lookup } = field?.attrs ?? {}
  const option = options?.find((o) => o.value === value)
  if (option) return plain(option.label) || String(value)
  if (lookup && typeof value === 'number') return plain(itemLabel?.(lookup, value) ?? '') || `item ${value}`
  if (field?.type === 'duration' && typeof value === 'number') return hours(value)
  const words = field?.type === 'scale' && wordsAt(field.attrs, value as number)
  if (words) return `${value} (${words})`
  if (field && isDecimal(field)) return formatDecimal(value, field)
  if (field?.type === 'month' && MONTH.test(String(value))) return month(String(value))
  if (field?.type === 'date' && DAY.test(String(value))) return day(String(value))
  return plain(String(value))
}

/** Shortens a text as `quoted` does, without quotes. */
function plain(text: string): string {
  return text.length > LONGEST ? quoted(text).slice(1, -1) : text.trim()
}

function hours(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, '0')}`
}

function month(iso: string): string {
  const date = new Date(`${iso}-01T00:00:00Z`)
  return date.toLocaleDateString('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

function day(iso: string): string {
  const date = new Date(`${iso}T00:00:00Z`)
  // A day that does not exist, such as 31 February, is returned unchanged.
  if (Number.isNaN(date.getTime()) || date.getUTCDate() !== Number(iso.slice(8))) return iso
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
}

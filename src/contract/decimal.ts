import { type DecimalFormat, readDecimal, writeDecimal } from './decimalFormat.ts'
import { FIELD_TYPES } from './fieldTypes.ts'
import type { Field } from './generated.ts'
import { isPlainObject } from './when.ts'

type Typed = Pick<Field, 'type' | 'attrs'>

/** How the decimal number of a field is written; undefined for a field of another type. */
export function decimalFormatOf({ type, attrs }: Typed): DecimalFormat | undefined {
  return FIELD_TYPES[type].decimal?.(attrs)
}

export function isDecimal({ type }: Pick<Field, 'type'>): boolean {
  return FIELD_TYPES[type].decimal !== undefined
}

/** True if a stored number means the same in both fields: they have the same decimal places and currency. */
export function hasSameAmounts(one: Field, other: Field): boolean {
  const [a, b] = [decimalFormatOf(one), decimalFormatOf(other)]
  return a?.places === b?.places && a?.currency === b?.currency
}

/** A typed number of a decimal field in its stored form; any other text as it is. */
export function parseDecimal(text: string, field: Typed): string | undefined {
  const format = decimalFormatOf(field)
  return format ? readDecimal(text, format) : text
}

/** The literal default of a field in its stored form; undefined for a computed default. */
export function presetOf(field: Field): unknown {
  const preset: unknown = field.attrs?.default
  if (isPlainObject(preset)) return undefined
  return isDecimal(field) && preset !== undefined ? parseDecimal(String(preset), field) : preset
}

/** A stored number of a decimal field in words: '£1,234.50' or '12.5 kg'. */
export function formatDecimal(value: unknown, field: Typed): string {
  const format = decimalFormatOf(field)
  return format ? writeDecimal(value, format) : String(value)
}

import type { Field, FieldAttrs, FieldType } from './generated.ts'
import { isPlainObject } from './when.ts'

/** Most digits before the point. */
const MOST_DIGITS = 15
const DEFAULT_PLACES = 2
/** ISO codes of the currencies that a field can have. */
export const CURRENCIES = ['GBP', 'EUR', 'USD'] as const
/** Types that store a decimal number as text, so that no digit is lost. */
const DECIMALS: FieldType[] = ['decimal', 'money']

export function isDecimal({ type }: Pick<Field, 'type'>): boolean {
  return DECIMALS.includes(type)
}

export function placesOf({ type, attrs }: Pick<Field, 'type' | 'attrs'>): number {
  return type === 'money' ? DEFAULT_PLACES : (attrs?.places ?? DEFAULT_PLACES)
}

export function currencyOf(attrs: FieldAttrs | undefined): string {
  return attrs?.currency ?? 'GBP'
}

/** True if a stored number means the same in both fields: they have the same decimal places and currency. */
export function hasSameAmounts(one: Field, other: Field): boolean {
  return placesOf(one) === placesOf(other) && currencyOf(one.attrs) === currencyOf(other.attrs)
}

/** The pattern of a canonical decimal number: a fixed number of places, no leading zeros and no minus before zero. */
export function decimalPattern(places: number): string {
  const fraction = places === 0 ? '' : `\\.[0-9]{${places}}`
  return `^(?!-[0.]+$)-?(0|[1-9][0-9]{0,${MOST_DIGITS - 1}})${fraction}$`
}

/**
 * Parses "1,234.5", "£12" or "12.5 kg" to the stored form; a text that is no number, or has too many digits, is
 * returned as typed.
 */
export function parseDecimal(text: string, field: Pick<Field, 'type' | 'attrs'>): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const bare = withoutSign(typed, field).replaceAll(/\s/g, '').replace('−', '-')
  // A comma separates thousands only: "1,5" could mean 1.5.
  const isNumber = /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(bare) && /\d/.test(bare)
  const [, sign, whole, fraction] = bare.replaceAll(',', '').match(/^([+-]?)0*(\d*)\.?(\d*?)0*$/) ?? []
  const places = placesOf(field)
  if (!isNumber || whole === undefined || fraction.length > places || whole.length > MOST_DIGITS) return typed
  const number = `${whole || '0'}${places === 0 ? '' : `.${fraction.padEnd(places, '0')}`}`
  return sign === '-' && /[1-9]/.test(number) ? `-${number}` : number
}

/** The literal default of a field in its stored form; undefined for a computed default. */
export function presetOf(field: Field): unknown {
  const preset: unknown = field.attrs?.default
  if (isPlainObject(preset)) return undefined
  return isDecimal(field) && preset !== undefined ? parseDecimal(String(preset), field) : preset
}

/** The text without the currency or unit of the field. */
function withoutSign(text: string, { type, attrs }: Pick<Field, 'type' | 'attrs'>): string {
  const signs = type === 'money' ? [symbolOf(attrs), currencyOf(attrs)] : [attrs?.unit ?? '']
  const lower = text.toLowerCase()
  for (const sign of signs.filter(Boolean).map((one) => one.toLowerCase())) {
    if (lower.endsWith(sign)) return text.slice(0, -sign.length)
    if (type !== 'money') continue
    if (lower.startsWith(sign)) return text.slice(sign.length)
    if (/^[-−]/.test(lower) && lower.slice(1).startsWith(sign)) return `-${text.slice(1 + sign.length)}`
  }
  return text
}

/** '£' for GBP. */
export function symbolOf(attrs: FieldAttrs | undefined): string {
  return currencyFormat(currencyOf(attrs))
    .formatToParts(0)
    .find((part) => part.type === 'currency')!.value
}

/** Formats a stored number: '£1,234.50' or '12.5 kg'; a text that is no number is returned unchanged. */
export function formatDecimal(value: unknown, field: Pick<Field, 'type' | 'attrs'>): string {
  const text = String(value)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  if (field.type === 'money') return write(currencyFormat(currencyOf(field.attrs)), text)
  const { unit } = field.attrs ?? {}
  const number = write(numberFormat(text.split('.')[1]?.length ?? 0), text)
  return unit ? `${number}${unit === '%' ? '' : ' '}${unit}` : number
}

/** Intl.NumberFormat formats a numeric text without losing digits, which TypeScript's types do not allow. */
function write(format: Intl.NumberFormat, text: string): string {
  return format.format(text as unknown as number)
}

const formats = new Map<string, Intl.NumberFormat>()

function currencyFormat(currency: string): Intl.NumberFormat {
  return known(currency, { style: 'currency', currency })
}

function numberFormat(places: number): Intl.NumberFormat {
  return known(String(places), { minimumFractionDigits: places, maximumFractionDigits: places })
}

function known(key: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const format = formats.get(key) ?? new Intl.NumberFormat('en-GB', options)
  formats.set(key, format)
  return format
}

/** Most digits before the point. */
const MAX_DIGITS = 15
/** ISO codes of the currencies that a field can have. */
export const CURRENCIES = ['GBP', 'EUR', 'USD'] as const
export type Currency = (typeof CURRENCIES)[number]

/** How a decimal number is written. */
export interface DecimalFormat {
  places: number
  unit?: string
  /** The currency of an amount of money. */
  currency?: Currency
}

/** The pattern of a canonical decimal number: a fixed number of places, no leading zeros and no minus before zero. */
export function decimalPattern(places: number): string {
  const fraction = places === 0 ? '' : `\\.[0-9]{${places}}`
  return `^(?!-[0.]+$)-?(0|[1-9][0-9]{0,${MAX_DIGITS - 1}})${fraction}$`
}

/**
 * Reads "1,234.5", "£12" or "12.5 kg" as the stored form; a text that is no number, or has too many digits, is returned
 * as typed.
 */
export function readDecimal(text: string, format: DecimalFormat): string | undefined {
  const typed = text.trim()
  if (typed === '') return undefined
  const bare = withoutSign(typed, format).replaceAll(/\s/g, '').replace('−', '-')
  // A comma separates thousands only: "1,5" could mean 1.5.
  const isNumber = /^[+-]?(\d+|\d{1,3}(,\d{3})+)?(\.\d*)?$/.test(bare) && /\d/.test(bare)
  const [, sign, whole, fraction] = bare.replaceAll(',', '').match(/^([+-]?)0*(\d*)\.?(\d*?)0*$/) ?? []
  const { places } = format
  if (!isNumber || whole === undefined || fraction.length > places || whole.length > MAX_DIGITS) return typed
  const number = `${whole || '0'}${places === 0 ? '' : `.${fraction.padEnd(places, '0')}`}`
  return sign === '-' && /[1-9]/.test(number) ? `-${number}` : number
}

function withoutSign(text: string, { currency, unit }: DecimalFormat): string {
  const signs = currency ? [symbolOf(currency), currency] : [unit ?? '']
  const lower = text.toLowerCase()
  for (const sign of signs.filter(Boolean).map((one) => one.toLowerCase())) {
    if (lower.endsWith(sign)) return text.slice(0, -sign.length)
    if (!currency) continue
    if (lower.startsWith(sign)) return text.slice(sign.length)
    if (/^[-−]/.test(lower) && lower.slice(1).startsWith(sign)) return `-${text.slice(1 + sign.length)}`
  }
  return text
}

/** '£' for GBP. */
export function symbolOf(currency: Currency): string {
  return currencyFormat(currency)
    .formatToParts(0)
    .find((part) => part.type === 'currency')!.value
}

/** Writes a stored number: '£1,234.50' or '12.5 kg'; a text that is no number is returned unchanged. */
export function writeDecimal(value: unknown, { currency, unit }: DecimalFormat): string {
  const text = String(value)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return text
  if (currency) return write(currencyFormat(currency), text)
  const number = write(numberFormat(text.split('.')[1]?.length ?? 0), text)
  return unit ? `${number}${unit === '%' ? '' : ' '}${unit}` : number
}

/** Intl.NumberFormat formats a numeric text without losing digits, which TypeScript's types do not allow. */
function write(format: Intl.NumberFormat, text: string): string {
  return format.format(text as unknown as number)
}

const formats = new Map<string, Intl.NumberFormat>()

function currencyFormat(currency: Currency): Intl.NumberFormat {
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

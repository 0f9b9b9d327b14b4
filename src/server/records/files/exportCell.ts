import { decimalFormatOf } from '../../../contract/decimal.ts'
import { symbolOf } from '../../../contract/decimalFormat.ts'
import { FIELD_TYPES } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import type { SheetKind } from '../../../contract/typeFacts.ts'
import { isSet } from '../../../contract/when.ts'
import { formatValue, type Labels } from '../audit/formatValue.ts'
import { localTimeAt, serialOf } from './cellDates.ts'

/** A cell as the package xlsx writes it: a number with its format. */
export interface NumberCell {
  t: 'n'
  v: number
  z: string
}
export type ExportCell = string | number | NumberCell

interface Context {
  labels: Labels
  timeZone: string
}
type Typed = (value: unknown, field: Field, context: Context) => ExportCell | undefined

const SECONDS_A_DAY = 86_400
/** Digits that Excel keeps of a number. */
const MAX_DIGITS = 15

/** Typed cells by the kind of their column; a value without one is a text. */
const TYPED: Partial<Record<SheetKind, Typed>> = {
  day: (value) => dated(`${value}T00:00:00Z`, 'dd/mm/yyyy'),
  moment: (value, _, { timeZone }) => {
    const at = value instanceof Date ? value.getTime() : Date.parse(String(value))
    return Number.isNaN(at) ? undefined : dated(localTimeAt(at, timeZone), 'dd/mm/yyyy hh:mm')
  },
  month: (value) => dated(`${value}-01T00:00:00Z`, 'mmmm yyyy'),
  clock: (value) => {
    const [hours, minutes] = String(value).split(':').map(Number)
    const day = (hours * 60 + minutes) / (24 * 60)
    return day >= 0 && day < 1 ? { t: 'n', v: day, z: 'hh:mm' } : undefined
  },
  hours: (value) => ({ t: 'n', v: Number(value) / SECONDS_A_DAY, z: '[h]:mm' }),
  decimal: amount,
  whole: numeric,
  year: numeric,
  point: numeric,
}

/**
 * The cell of a value in an export: dates, times, durations and amounts as numbers with a format, in the service's time
 * zone; everything else in words. A text is a text cell even if it looks like a formula: Excel only calculates formula
 * cells.
 */
export function exportCell(value: unknown, field: Field, context: Context): ExportCell {
  if (!isSet(value)) return ''
  const isChoice = field.attrs?.lookup !== undefined || field.attrs?.options !== undefined
  const typed =
    Array.isArray(value) || isChoice
      ? undefined
      : TYPED[FIELD_TYPES[field.type].sheet.kind]?.(value, field, context)
  return typed ?? formatValue(value instanceof Date ? value.toISOString() : value, field, context.labels)
}

function dated(local: number | string, format: string): NumberCell | undefined {
  const at = typeof local === 'string' ? Date.parse(local) : local
  const serial = Number.isNaN(at) ? undefined : serialOf(at)
  return serial === undefined ? undefined : { t: 'n', v: serial, z: format }
}

function amount(value: unknown, field: Field): NumberCell | undefined {
  const digits = String(value).replaceAll(/\D/g, '')
  const number = Number(value)
  if (Number.isNaN(number) || digits.length > MAX_DIGITS) return undefined
  const { places, currency } = decimalFormatOf(field)!
  const decimals = places > 0 ? `0.${'0'.repeat(places)}` : '0'
  if (!currency) return { t: 'n', v: number, z: decimals }
  return { t: 'n', v: number, z: `"${symbolOf(currency)}"#,##${decimals}` }
}

function numeric(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

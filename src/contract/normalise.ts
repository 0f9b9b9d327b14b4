import { BLANK, DASH, INVISIBLE, LINE_BREAK } from './characters.ts'
import { isRealDay } from './days.ts'

const ALL_INVISIBLE = new RegExp(`[${INVISIBLE}]+`, 'g')
const ALL_BLANKS = new RegExp(`[${BLANK}]+`, 'g')
const ALL_LINE_BREAKS = new RegExp(`\\r\\n|[${LINE_BREAK}]`, 'g')
const ALL_DASHES = new RegExp(`[${DASH}]`, 'g')
const POSTCODE = /^[A-Z]{1,2}[0-9][A-Z0-9]?[0-9][A-Z]{2}$/
const DATE_TIME = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i

/** A text in one line as it is stored: Unicode NFC, without invisible characters, and single blanks between words. */
export function normaliseLine(text: string): string {
  return text.replaceAll(ALL_INVISIBLE, '').replaceAll(ALL_BLANKS, ' ').trim().normalize('NFC')
}

/** A text of several lines as it is stored: as `normaliseLine`, but with its line breaks (as \n), tabs and blanks. */
export function normaliseLong(text: string): string {
  return text.replaceAll(ALL_LINE_BREAKS, '\n').replaceAll(ALL_INVISIBLE, '').trim().normalize('NFC')
}

/**
 * A reference number in capitals, with blanks between the parts of the first pattern that it matches without blanks and
 * hyphens: '943 476 5919' for '943-476-5919'; a text that matches none stays as it is.
 */
export function normaliseCode(text: string, patterns: RegExp[]): string {
  const compact = compactCode(text)
  const parts = patterns.map((pattern) => pattern.exec(compact)).find(Boolean)
  return parts ? parts.slice(1).join(' ') : normaliseLine(text)
}

/** A reference number in capitals, without blanks and hyphens. */
export function compactCode(text: string): string {
  return normaliseLine(text).replaceAll(ALL_DASHES, '').replaceAll(' ', '').toUpperCase()
}

/** 'CB7 4AE' for 'cb7 4ae', 'CB74AE' and the like; a text that is no postcode stays as it is. */
export function normalisePostcode(text: string): string {
  const line = normaliseLine(text)
  const compact = line.replaceAll(' ', '').toUpperCase()
  return POSTCODE.test(compact) ? `${compact.slice(0, -3)} ${compact.slice(-3)}` : line
}

/** True if a text is a whole postcode, in any spelling. */
export function isPostcode(text: string): boolean {
  return POSTCODE.test(normaliseLine(text).replaceAll(' ', '').toUpperCase())
}

/** A telephone number with plain hyphens; its blanks, brackets, extension and words stay as the person wrote them. */
export function normalisePhone(text: string): string {
  return normaliseLine(text).replaceAll(ALL_DASHES, '-')
}

/** A date and time as Date.toISOString writes it; any other text stays as it is. */
export function normaliseDateTime(text: string): string {
  const line = normaliseLine(text)
  const [, day] = DATE_TIME.exec(line) ?? []
  // Date takes 30 February for 2 March.
  if (!day || !isRealDay(day)) return line
  const date = new Date(line)
  return Number.isNaN(date.getTime()) ? line : date.toISOString()
}

/** 'HH:mm' for '9.30', '930', '9:30 pm' or '9pm'; any other text stays as it is. */
export function normaliseTime(text: string): string {
  const line = normaliseLine(text)
  const parts = line
    .replaceAll(' ', '')
    .toLowerCase()
    .match(/^(\d{1,2})(?:[:.]?([0-5]\d))?(am|pm|a\.m\.|p\.m\.)?$/)
  if (!parts) return line
  const [, hours, minutes = '00', half] = parts
  const hour = half ? (Number(hours) % 12) + (half.startsWith('p') ? 12 : 0) : Number(hours)
  const isTime = half ? Number(hours) >= 1 && Number(hours) <= 12 : hour < 24
  return isTime ? `${String(hour).padStart(2, '0')}:${minutes}` : line
}

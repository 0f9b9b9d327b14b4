import { codeKey } from './compareKey.ts'
import { compactCode, normaliseCode } from './normalise.ts'

/** Pattern of an email address. */
export const EMAIL = '^[^\\s@]+@[^\\s@]+\\.[^\\s@.]+$'
/** Current plates, those of 1983 to 2001, of 1963 to 1983, and of Northern Ireland and before; by their parts. */
export const VEHICLES = [
  /^([A-Z]{2}\d{2})([A-Z]{3})$/,
  /^([A-Z]\d{1,3})([A-Z]{3})$/,
  /^([A-Z]{3})(\d{1,3}[A-Z])$/,
  /^([A-Z]{1,3})(\d{1,4})$/,
  /^(\d{1,4})([A-Z]{1,3})$/,
]
/** National Insurance numbers as HMRC issues them, by their parts. */
export const NATIONAL_INSURANCE = [
  /^((?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z])(\d\d)(\d\d)(\d\d)([A-D])$/,
]
const NHS_NUMBER = [/^(\d{3})(\d{3})(\d{4})$/]

/** How texts with a named rule are stored and compared, instead of in the way of their field type. */
interface CodeForm {
  normalise?: (text: string) => string
  compareKey?: (text: string) => string
}

const asTyped = (text: string) => text
const PASSWORD: CodeForm = { normalise: asTyped, compareKey: asTyped }

const FORMS: Record<string, CodeForm> = {
  nhs_number: codeOf(NHS_NUMBER),
  email: { compareKey: (text) => text.toLowerCase() },
  uk_vehicle: codeOf(VEHICLES),
  national_insurance: codeOf(NATIONAL_INSURANCE),
  current_password: PASSWORD,
  new_password: PASSWORD,
}

/** How a text with these rules is normalised or compared, if other than its type says. */
export function ruleFor(rules: string[] = [], part: keyof CodeForm): ((text: string) => string) | undefined {
  return rules.map((rule) => (Object.hasOwn(FORMS, rule) ? FORMS[rule][part] : undefined)).find(Boolean)
}

/** Stores and compares reference numbers that people write with and without blanks, hyphens and capitals. */
function codeOf(patterns: RegExp[]): CodeForm {
  return { normalise: (text) => normaliseCode(text, patterns), compareKey: codeKey }
}

/** True if a text, without its blanks and in capitals, matches one of some patterns. */
export function isCode(patterns: RegExp[], value: unknown): boolean {
  return patterns.some((pattern) => pattern.test(compactCode(String(value))))
}

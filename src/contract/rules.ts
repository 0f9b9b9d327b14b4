import { EMAIL, isCode, NATIONAL_INSURANCE, VEHICLES } from './codes.ts'
import { formatDay } from './days.ts'
import { isLocal } from './localAddress.ts'
import { compactCode } from './normalise.ts'
import type { Values } from './when.ts'

interface RuleContext {
  answers: Values
  today: string
  /** Label of another answer, as used inside a sentence. */
  labelOf?: (name: string) => string | undefined
}
/** Least length of a password, in Unicode code points. */
export const MIN_PASSWORD_LENGTH = 12
const LIKE_EMAIL = new RegExp(EMAIL)
const LIKE_URL = /^https?:\/\/[^\s/?#.]+(\.[^\s/?#.]+)+([/?#]\S*)?$/i
const LIKE_LETTERS = /^[\p{L}\p{M}][\p{L}\p{M} .'’-]*$/u
type Rule = (value: unknown, context: RuleContext, argument: string) => string | undefined

/** A rule with more than its error. */
interface NamedRule {
  error: Rule
  /** True if it limits the values that people enter, but does not refuse a stored one. */
  isLimit?: boolean
}

/** Most years since the birth of a living person. */
const OLDEST_AGE = 125

/** The named rules; each returns an error in words that follow the label, or undefined. */
const RULES: Record<string, Rule | NamedRule> = {
  not_future: (value, { today }) => (day(value) > today ? 'must be today or in the past' : undefined),
  after: (value, { answers, labelOf }, other) =>
    typeof answers[other] === 'string' && day(value) < day(answers[other])
      ? `must not be before ${labelOf?.(other) ?? other.replaceAll('_', ' ')}`
      : undefined,
  date_of_birth: {
    isLimit: true,
    error: (value, { today }) => {
      const oldest = yearsFrom(today, -OLDEST_AGE)
      return day(value) < oldest ? `must be from ${formatDay(oldest)} on` : undefined
    },
  },
  nhs_number: (value) => (nhsNumber(String(value)) ? undefined : 'is not a valid NHS number'),
  email: (value) => (LIKE_EMAIL.test(String(value)) ? undefined : 'must be like name@example.org'),
  url: (value) => (LIKE_URL.test(String(value)) ? undefined : 'must be like https://example.org'),
  letters: (value) =>
    LIKE_LETTERS.test(String(value)) ? undefined : 'must be letters, spaces, hyphens and apostrophes',
  digits: (value) => (/^\d+$/.test(String(value)) ? undefined : 'must be digits'),
  uk_vehicle: (value) => (isCode(VEHICLES, value) ? undefined : 'must be like AB12 CDE'),
  national_insurance: (value) =>
    isCode(NATIONAL_INSURANCE, value) ? undefined : 'must be like QQ 12 34 56 C',
  user_name: (value) => (/^[^\s\p{C}]+$/u.test(String(value)) ? undefined : 'must be without spaces'),
  code_name: (value) =>
    /^[a-z][a-z0-9_]*$/.test(String(value))
      ? undefined
      : 'must be small letters, digits and _, and begin with a letter',
  // These two also select the password widget: browsers fill in a current password and suggest a new one.
  current_password: () => undefined,
  new_password: (value) =>
    [...String(value)].length < MIN_PASSWORD_LENGTH
      ? `must be ${MIN_PASSWORD_LENGTH} characters or more`
      : undefined,
  local_address: (value) => (isLocal(String(value)) ? undefined : 'must be an address of this site'),
}

export const RULE_NAMES = Object.keys(RULES)

/** True if a rule of this name exists. */
export function isRuleName(name: string): boolean {
  return Object.hasOwn(RULES, name)
}

/** The error of a named rule ('not_future', 'after:start_date'); undefined if the value passes. */
export function ruleError(rule: string, value: unknown, context: RuleContext): string | undefined {
  const [name, argument = ''] = rule.split(':')
  const found = RULES[name]
  return (typeof found === 'function' ? found : found?.error)?.(value, context, argument)
}

/** True if a rule does not refuse a stored value. */
export function isLimitRule(rule: string): boolean {
  return namedRule(rule)?.isLimit === true
}

function namedRule(rule: string): NamedRule | undefined {
  const found = RULES[rule]
  return typeof found === 'object' ? found : undefined
}

/** Help text of a field with these rules; undefined if they need none. */
export function hintOf(rules: string[] = []): string | undefined {
  return rules.includes('new_password')
    ? `${MIN_PASSWORD_LENGTH} characters or more; three plain words will do`
    : undefined
}

function day(value: unknown): string {
  return String(value).slice(0, 10)
}

/** The same day (YYYY-MM-DD) some years later, or earlier; 29 February may become an invalid day, which only serves comparisons. */
export function yearsFrom(today: string, years: number): string {
  return String(Number(today.slice(0, 4)) + years).padStart(4, '0') + today.slice(4)
}

/** True for ten digits whose last is the modulus 11 check digit. */
function nhsNumber(text: string): boolean {
  const digits = compactCode(text)
  if (!/^\d{10}$/.test(digits)) return false
  const sum = [...digits.slice(0, 9)].reduce((total, d, i) => total + Number(d) * (10 - i), 0)
  return (11 - (sum % 11)) % 11 === Number(digits[9])
}

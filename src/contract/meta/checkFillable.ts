import { presetOf } from '../decimal.ts'
import { FIELD_TYPES, holdsRows, isQuestion, offeredOptions, takesSeveralChoices } from '../fieldTypes.ts'
import type { Field } from '../generated.ts'
import { inFull } from '../pluralise.ts'
import { quoted } from '../quoted.ts'
import { ruleError } from '../rules.ts'
import { asNumber, holds, isPlainObject, pathsOf, type When } from '../when.ts'
import type { Report } from './metaTypes.ts'

/** Reports what makes a field impossible to fill in, or a form with it impossible to save. */
export function checkFillable(field: Field, report: Report): void {
  if (!isQuestion(field) || field.attrs?.calc || field.attrs?.hidden) return
  checkReadOnly(field, report)
  checkRange(field, report)
  checkStart(field, report)
  checkRules(field, report)
  checkChecks(field, report)
}

function checkReadOnly({ label, name, type, attrs = {} }: Field, report: Report) {
  const { read_only, required, required_when, default: preset, min } = attrs
  if (!read_only || preset !== undefined) return
  const hasRows = holdsRows({ type }) && (min ?? 0) > 0
  if (!required && !required_when && !hasRows) return
  const key = required ? 'required' : required_when ? 'required_when' : 'min'
  report(
    ['attrs', key],
    `${quoted(label, name)} must be answered, but is only shown and begins as nothing, so no form with it could be saved; say what it begins as, or let people fill it in`,
  )
}

function checkRange({ label, name, type, attrs = {} }: Field, report: Report) {
  const { min, max } = attrs
  const field = quoted(label, name)
  if (holdsRows({ type }) && max !== undefined && max < 1)
    report(['attrs', 'max'], `${field} may have no rows, so nothing can be filled in; raise its maximum`)
  const { range: limits, hasNoCommas } = FIELD_TYPES[type]
  if (!limits) return
  const [least, most] = limits
  const range = () => limits.map((limit) => (hasNoCommas ? String(limit) : inFull(limit))).join(' to ')
  if (min !== undefined && min > most)
    report(
      ['attrs', 'min'],
      `${field} can only be from ${range()}, so never ${min} or more; lower its minimum`,
    )
  if (max !== undefined && max < least)
    report(
      ['attrs', 'max'],
      `${field} can only be from ${range()}, so never ${max} or less; raise its maximum`,
    )
}

/** Checks that a literal default is within the limits of its own field; choices and scales have checks of their own. */
function checkStart(field: Field, report: Report) {
  const { label, name, type, attrs = {} } = field
  const { min, max, max_length } = attrs
  const preset = presetOf(field)
  const begins = `${quoted(label, name)} begins as '${preset}'`
  const reportAt = (why: string) => report(['attrs', 'default'], `${begins}, ${why}; change one`)
  if (typeof preset === 'string' && max_length !== undefined && preset.length > max_length)
    reportAt(`which is longer than its ${max_length} characters`)
  if (preset === undefined || !FIELD_TYPES[type].range) return
  const value = asNumber(preset)
  if (typeof value !== 'number') return
  if (min !== undefined && value < min) reportAt(`which is less than its minimum, ${min}`)
  if (max !== undefined && value > max) reportAt(`which is more than its maximum, ${max}`)
}

/** A text of each named rule, the shortest that there is. */
const SHORTEST: Record<string, string> = {
  nhs_number: '9434765919',
  email: 'a@b.c',
  url: 'http://a.b',
  letters: 'A',
  digits: '1',
  uk_vehicle: 'A1',
  national_insurance: 'AA123456A',
}

function checkRules({ label, name, attrs = {} }: Field, report: Report) {
  const { pattern, max_length = Number.POSITIVE_INFINITY } = attrs
  const rules = (attrs.rules ?? []).filter((rule) => Object.hasOwn(SHORTEST, rule))
  const errorOf = (text: string) =>
    rules
      .map((rule) => ruleError(rule, text, { answers: {}, today: '' }))
      .find((error) => error !== undefined)
  if (pattern?.example) {
    const { example } = pattern
    const why = example.length > max_length ? `is longer than its ${max_length} characters` : errorOf(example)
    if (why)
      report(
        ['attrs', 'pattern', 'example'],
        `The example '${example}' of ${quoted(label, name)} ${why}; change one`,
      )
    return
  }
  const fitting = rules.map((rule) => SHORTEST[rule]).filter((text) => errorOf(text) === undefined)
  if (rules.length > 0 && fitting.length === 0)
    report(['attrs', 'rules'], `No text can follow all rules of ${quoted(label, name)}; remove one of them`)
  else if (rules.length > 0 && fitting.every((text) => text.length > max_length))
    report(
      ['attrs', 'max_length'],
      `No text of ${max_length} characters can follow the rules of ${quoted(label, name)}; raise its maximum`,
    )
}

/** Reports checks that together refuse every answer; only those that look at the field alone can tell. */
function checkChecks(field: Field, report: Report) {
  const { label, name, attrs = {} } = field
  const own = (attrs.checks ?? []).filter(({ when }) => pathsOf(when).every((path) => path === name))
  if (own.length === 0) return
  const isRefused = (value: unknown) => own.some(({ when }) => holds(when, { answers: { [name]: value } }))
  const values = takesSeveralChoices(field) ? [] : offeredOptions(field).map((o) => o.value)
  const isEvery = values.length > 0 ? values.every(isRefused) : own.some(({ when }) => isOnlySet(when, name))
  if (isEvery)
    report(
      ['attrs', 'checks'],
      `The checks of ${quoted(label, name)} refuse every answer; change one of them`,
    )
}

/** True if a condition holds for every answer: it only tests that there is one. */
function isOnlySet(when: When, name: string): boolean {
  const test = Object.keys(when).length === 1 ? when[name] : undefined
  return isPlainObject(test) && test.set === true && Object.keys(test).length === 1
}

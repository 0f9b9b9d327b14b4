import { decimalFormatOf, isDecimal, presetOf } from '../decimal.ts'
import { decimalPattern } from '../decimalFormat.ts'
import { FIELD_TYPES, hasPoints, holdsRows, suitsRule } from '../fieldTypes.ts'
import type { Field, Pattern } from '../generated.ts'
import { MAX_MATCHED_LENGTH, matchesPattern, patternError } from '../patterns.ts'
import { endsOf, MAX_POINTS, pointsOf } from '../scale.ts'
import type { Report } from './metaTypes.ts'
import type { Reach } from './places.ts'

/** Rule of a date that must not be before another, whose name follows: 'after:start_date'. */
const AFTER = 'after'

/** Checks the limits and named rules of a field; `siblings` are the fields that its rules can refer to. */
export function checkLimits(field: Field, siblings: Reach, report: Report): void {
  const { label, attrs = {} } = field
  const { min, max } = attrs
  if (hasPoints(field)) checkScale(field, report)
  else if (min !== undefined && max !== undefined && min > max) {
    report(
      ['attrs', 'max'],
      `The minimum of '${label}' is ${min} and its maximum ${max}; swap them or change one`,
    )
  }
  if (holdsRows(field) && min !== undefined && min < 0) {
    report(['attrs', 'min'], `'${label}' cannot have fewer than 0 rows; raise its minimum`)
  }
  for (const key of ['min', 'max'] as const) {
    if (attrs[key] !== undefined && !Number.isInteger(attrs[key]) && !isDecimal(field))
      report(['attrs', key], `The limits of '${label}' must be whole numbers; change ${attrs[key]}`)
  }
  const preset = presetOf(field)
  const format = decimalFormatOf(field)
  if (format && preset !== undefined && !new RegExp(decimalPattern(format.places)).test(String(preset)))
    report(
      ['attrs', 'default'],
      `'${label}' cannot begin as '${preset}'; write it with ${format.places} decimal places`,
    )
  if (attrs.pattern) checkPattern(field, attrs.pattern, report)
  for (const [i, rule] of (attrs.rules ?? []).entries()) {
    const path = ['attrs', 'rules', i]
    const [name, other] = rule.split(':')
    if (!suitsRule(field, name)) report(path, `The rule '${name}' does not suit '${label}'; remove it`)
    else if (name === AFTER) checkAfter(field, other ?? '', siblings, (_, message) => report(path, message))
  }
}

function checkPattern({ label, type, attrs = {} }: Field, { matches, example }: Pattern, report: Report) {
  const path = ['attrs', 'pattern']
  if (!FIELD_TYPES[type].attrs?.includes('pattern'))
    return report(path, `Only a text can have a pattern; remove that of '${label}'`)
  if ((attrs.max_length ?? 0) > MAX_MATCHED_LENGTH)
    report(
      ['attrs', 'max_length'],
      `'${label}' has a pattern, so it may have ${MAX_MATCHED_LENGTH} characters; lower its maximum`,
    )
  if (matches === '') return report([...path, 'matches'], `Write the pattern of '${label}'`)
  const error = patternError(matches)
  if (error) report([...path, 'matches'], `The pattern of '${label}' cannot be used: ${error}`)
  else if (example === '')
    report([...path, 'example'], `Write an example that the pattern of '${label}' matches`)
  else if (!matchesPattern(matches, example))
    report(
      [...path, 'example'],
      `The pattern of '${label}' does not match its example '${example}'; change one`,
    )
  else if (typeof attrs.default === 'string' && !matchesPattern(matches, attrs.default))
    report(
      ['attrs', 'default'],
      `'${label}' cannot begin as '${attrs.default}', which its pattern does not match`,
    )
}

function checkScale({ label, attrs = {} }: Field, report: Report) {
  const { least, most } = endsOf(attrs)
  const count = most - least + 1
  if (count < 2)
    report(['attrs', 'max'], `The scale '${label}' must end above ${least}, where it begins; raise its end`)
  else if (count > MAX_POINTS)
    report(
      ['attrs', 'max'],
      `The scale '${label}' may have ${MAX_POINTS} numbers; from ${least} to ${most} it has ${count}`,
    )
  else if (attrs.default !== undefined && !pointsOf(attrs).includes(attrs.default as number))
    report(
      ['attrs', 'default'],
      `'${label}' begins as '${attrs.default}', which its scale does not have; choose another`,
    )
}

function checkAfter({ name, label }: Field, other: string, siblings: Reach, report: Report) {
  const date = siblings.get(other)
  if (other === name) report([], `'${label}' cannot be later than itself; choose another date`)
  else if (!date)
    report([], `'${label}' must not be before '${other}', but there is no such field; choose a date`)
  else if (!suitsRule(date, AFTER)) {
    report([], `'${label}' must not be before '${date.label}', which is not a date; choose a date`)
  }
}

import type { Field, Pattern } from '../../contract/generated.ts'
import { quoted } from '../../contract/quoted.ts'

const RULES: Record<string, string> = {
  not_future: 'must not be in the future',
  date_of_birth: 'must be at most 125 years ago',
  nhs_number: 'must be an NHS number',
  email: 'must be an email address',
  url: 'must be a web address',
  letters: 'must be letters only',
  digits: 'must be digits only',
  uk_vehicle: 'must be a UK vehicle registration',
  national_insurance: 'must be a National Insurance number',
}

/** A named rule in words that follow a label; `siblings` are the fields that it can refer to. */
export function describeRule(rule: string, siblings: Map<string, Field>): string {
  const [name, other] = rule.split(':')
  if (name === 'after')
    return `must not be before ${quoted(siblings.get(other)?.label ?? other ?? '', other)}`
  return Object.hasOwn(RULES, name) ? RULES[name] : `must follow the rule ${quoted(name)}`
}

/** A pattern in words that follow a label. */
export function describePattern({ example }: Pattern): string {
  return `must be like ${quoted(example)}`
}

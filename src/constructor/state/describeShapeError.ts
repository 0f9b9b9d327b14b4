import { quoted } from '../../contract/quoted.ts'
import { FORMS } from './caseType.ts'

const KINDS: Record<string, string> = {
  fields: 'field',
  options: 'choice',
  any: 'alternative',
  rules: 'rule',
  checks: 'check',
  choose: 'value by conditions',
  then: 'outcome',
}
const WORDS: Record<string, string> = {
  attrs: '',
  when: 'its condition',
  required_when: 'its condition to be required',
  message: 'its message',
  pattern: 'its pattern',
  label: 'its label',
  name: 'its name',
  type: 'its type',
  alert: 'its text',
  notify: 'its receivers',
  step: 'its text',
  text: 'its text',
  due: 'when it is due',
  pass: 'who may pass it',
  while: 'while it is open',
  of: 'its kind of record',
  from: 'the day from which it is counted',
  at: 'its day',
  within: 'the time until it is due',
  every: 'the time until it is due',
  warn: 'its warning',
  until: 'until when it can be due',
  met_by: 'what meets it',
  paused: 'when it is paused',
}
/** What the lists of a case type besides its forms hold. */
const LISTS: Record<string, string> = { tests: 'test', automations: 'automation', deadlines: 'deadline' }

/** Describes a server error of a draft with its place in words: "Case form, 'Referral', field 2: lacks …". */
export function describeShapeError(draft: unknown, path: (string | number)[], message: string): string {
  const places: string[] = []
  let kind = 'group'
  let at = draft
  for (const [i, key] of path.entries()) {
    at = (at as Record<string | number, unknown> | undefined)?.[key]
    const form = i === 0 && FORMS.find(({ meta }) => meta === key)?.title
    if (typeof key === 'number') places.push(labelOf(at) ?? `${kind} ${key + 1}`)
    else if (i === 0 && Object.hasOwn(LISTS, key)) kind = LISTS[key]
    else if (form || i === 0) places.push(form || String(key))
    else if (Object.hasOwn(KINDS, key)) kind = KINDS[key]
    else places.push(Object.hasOwn(WORDS, key) ? WORDS[key] : quoted(key))
  }
  return `${places.filter(Boolean).join(', ')}: ${message}`
}

function labelOf(item: unknown): string | undefined {
  const { label } = (item ?? {}) as { label?: unknown }
  return typeof label === 'string' && label.trim() ? quoted(label) : undefined
}

import { formatDay } from './days.ts'
import { describeAnswer } from './describeAnswer.ts'
import type { Field, FieldAttrs } from './generated.ts'
import { type Seen, sourceOfPath } from './seen.ts'
import { isSet } from './when.ts'

/**
 * Attributes of a field whose placeholders are replaced by answers, besides its label, the hints of its choices and the
 * messages of its checks.
 */
const TEXTS = ['help', 'text', 'required_text'] as const

/** A text of a field with placeholders, and its path below the field. */
interface FieldText {
  path: (string | number)[]
  text: string
}

/** The texts of a field in which placeholders are replaced by answers. */
export function textsOf({ label, attrs = {} }: Field): FieldText[] {
  return [
    { path: ['label'], text: label },
    ...TEXTS.flatMap((key) => (attrs[key] ? [{ path: ['attrs', key], text: attrs[key] }] : [])),
    ...(attrs.options ?? []).flatMap(({ hint }, i) =>
      hint ? [{ path: ['attrs', 'options', i, 'hint'], text: hint }] : [],
    ),
    ...(attrs.checks ?? []).map(({ message }, i) => ({
      path: ['attrs', 'checks', i, 'message'],
      text: message,
    })),
  ]
}

/** The attributes with all texts that have placeholders replaced. */
export function withTextsReplaced(attrs: FieldAttrs, replace: (text: string) => string): FieldAttrs {
  const { checks, options } = attrs
  return {
    ...attrs,
    ...Object.fromEntries(TEXTS.flatMap((key) => (attrs[key] ? [[key, replace(attrs[key])]] : []))),
    ...(options?.some(({ hint }) => hint) && {
      options: options.map((option) => (option.hint ? { ...option, hint: replace(option.hint) } : option)),
    }),
    ...(checks && { checks: checks.map((check) => ({ ...check, message: replace(check.message) })) }),
  }
}

/**
 * A placeholder for an answer or a value from outside ('{$client.dob}'), or a doubled brace, which stands for the brace
 * itself: '{{name}}' is no placeholder.
 */
export const PLACEHOLDER = /\{\{|\}\}|\{((?:\$[a-z]+\.)?[a-z][a-z0-9_]*)\}/g

/** Replaces the placeholder of an unanswered field. */
const MISSING = '…'

/** Stands for a value that the person may not see. */
export const WITHHELD = 'from a record you cannot see'

/** Names in the placeholders of a text: '{first_name}'. */
export function placeholdersIn(text: string): string[] {
  if (!text.includes('{')) return []
  return [...text.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? [])
}

/** Names in the placeholders of all texts of a field. */
export function namesInTexts(field: Field): string[] {
  return textsOf(field).flatMap(({ text }) => placeholdersIn(text))
}

/** True if a text of a field is rendered differently from how it is written. */
export function hasPlaceholders(field: Field): boolean {
  return textsOf(field).some(({ text }) => text.search(PLACEHOLDER) >= 0)
}

/** A text with its placeholders replaced and its doubled braces single. */
function fill(text: string, answerOf: (name: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (found, name) => (name === undefined ? found[0] : answerOf(name)))
}

/** A label outside of its form, where no answers are known. */
export function plainLabel(label: string): string {
  return fill(label, () => MISSING)
}

const filled = new WeakMap<Field, { key: string; field: Field }>()

export function wordsOfAnswer(field: Field | undefined, value: unknown): string {
  return isSet(value) ? describeAnswer(field, value) : MISSING
}

/** A value from outside as it stands in a text; one of the last record with its day. */
export function wordsOfSeen(path: string, value: unknown, seen: Seen | undefined): string {
  const known = seen?.values[path]
  if (known?.isWithheld) return WITHHELD
  const words = wordsOfAnswer(seen?.fields.get(path), value)
  return isSet(value) && known?.day && sourceOfPath(path) === 'last'
    ? `${words}, ${formatDay(known.day)}`
    : words
}

/** Where a value from outside comes from: 'From last time, 3 May 2026.' */
export function originWords(path: string, seen: Seen | undefined): string {
  const source = sourceOfPath(path)
  const day = seen?.values[path]?.day
  if (source !== 'last') return `From the ${source}.`
  return day ? `From last time, ${formatDay(day)}.` : 'From last time.'
}

const hinted = new WeakMap<Field, Map<string, Field>>()

/** The field with more words in its hint; the same object for the same words. */
export function withHint(field: Field, words: string): Field {
  const known = hinted.get(field) ?? new Map<string, Field>()
  hinted.set(field, known)
  const help = [field.attrs?.help, words].filter(Boolean).join(' ')
  const made = known.get(words) ?? { ...field, attrs: { ...field.attrs, help } }
  known.set(words, made)
  return made
}

/** The field with placeholders replaced by words; the same object for the same words, to avoid needless renders. */
export function withAnswersInTexts(field: Field, answerOf: (name: string) => string): Field {
  const replace = (text: string) => fill(text, answerOf)
  const next: Field = {
    ...field,
    label: replace(field.label),
    attrs: withTextsReplaced(field.attrs ?? {}, replace),
  }
  const key = JSON.stringify(textsOf(next).map(({ text }) => text))
  const known = filled.get(field)
  if (known?.key === key) return known.field
  filled.set(field, { key, field: next })
  return next
}

/** The field with a mark for each placeholder, for a form without answers. */
export function withoutAnswersInTexts(field: Field): Field {
  return withAnswersInTexts(field, () => MISSING)
}

import { describeAnswer } from './describeAnswer.ts'
import type { Field } from './generated.ts'
import { isSet } from './when.ts'

/** Texts of a field in which placeholders are replaced by answers. */
export const TEXTS = ['label', 'help', 'text'] as const

/** A placeholder, or a doubled brace, which stands for the brace itself: '{{name}}' is no placeholder. */
export const PLACEHOLDER = /\{\{|\}\}|\{([a-z][a-z0-9_]*)\}/g

/** Replaces the placeholder of an unanswered field. */
const MISSING = '…'

/** Names of the fields in the placeholders of a text: '{first_name}'. */
export function namesIn(field: Field, text: (typeof TEXTS)[number]): string[] {
  const words = text === 'label' ? field.label : field.attrs?.[text]
  return [...(words ?? '').matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? [])
}

/** True if a text of a field is rendered differently from how it is written. */
export function hasPlaceholders({ label, attrs }: Field): boolean {
  return [label, attrs?.help, attrs?.text].some(
    (words) => words !== undefined && words.search(PLACEHOLDER) >= 0,
  )
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

/** The field with placeholders replaced by answers; the same object for the same answers, to avoid needless renders. */
export function withAnswersInTexts(
  field: Field,
  read: (name: string) => unknown,
  fieldNamed: (name: string) => Field | undefined,
): Field {
  const answerOf = (name: string) =>
    isSet(read(name)) ? describeAnswer(fieldNamed(name), read(name)) : MISSING
  const { help, text } = field.attrs ?? {}
  const next: Field = {
    ...field,
    label: fill(field.label, answerOf),
    attrs: {
      ...field.attrs,
      ...(help && { help: fill(help, answerOf) }),
      ...(text && { text: fill(text, answerOf) }),
    },
  }
  const key = JSON.stringify([next.label, next.attrs?.help, next.attrs?.text])
  const known = filled.get(field)
  if (known?.key === key) return known.field
  filled.set(field, { key, field: next })
  return next
}

/** The field with a mark for each placeholder, for a form without answers. */
export function withoutAnswersInTexts(field: Field): Field {
  return withAnswersInTexts(
    field,
    () => undefined,
    () => undefined,
  )
}

import type { Field } from './generated.ts'
import { describeAnswer } from './meta/describeAnswer.ts'
import { isSet } from './when.ts'

/** Texts of a field in which placeholders are replaced by answers. */
export const TEXTS = ['label', 'help', 'text'] as const

const NAME = /\{([a-z][a-z0-9_]*)\}/g

/** Replaces the placeholder of an unanswered field. */
const MISSING = '…'

/** Names of the fields in the placeholders of a text: '{first_name}'. */
export function namesIn(field: Field, text: (typeof TEXTS)[number]): string[] {
  const words = text === 'label' ? field.label : field.attrs?.[text]
  return [...(words ?? '').matchAll(NAME)].map(([, name]) => name)
}

const filled = new WeakMap<Field, { key: string; field: Field }>()

/** The field with placeholders replaced by answers; the same object for the same answers, to avoid needless renders. */
export function withAnswersInTexts(
  field: Field,
  read: (name: string) => unknown,
  fieldNamed: (name: string) => Field | undefined,
): Field {
  const fill = (text: string) =>
    text.replaceAll(NAME, (_, name) =>
      isSet(read(name)) ? describeAnswer(fieldNamed(name), read(name)) : MISSING,
    )
  const { help, text } = field.attrs ?? {}
  const next: Field = {
    ...field,
    label: fill(field.label),
    attrs: { ...field.attrs, ...(help && { help: fill(help) }), ...(text && { text: fill(text) }) },
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

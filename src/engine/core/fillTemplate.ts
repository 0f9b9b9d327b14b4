import { getIn, type Values } from '../../contract/when.ts'

/**
 * A text with its {fields} filled, nested ones by their path ({with.model.name}). A field without a value is removed,
 * at the end also a colon before it.
 */
export function fillTemplate(text: string, values: Values): string {
  return text
    .replaceAll(/\{([\w.]+)\}/g, (_, path: string) => String(getIn(values, path.split('.')) ?? ''))
    .replace(/:?\s*$/, '')
}

/** Texts by name with their {fields} filled. */
export function fillTemplates(texts: Values, values: Values): Values {
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, fillTemplate(String(text), values)]),
  )
}

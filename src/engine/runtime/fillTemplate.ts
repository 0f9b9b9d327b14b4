import { getIn, type Values } from '../../contract/when.ts'

/**
 * A text for people with its {fields} filled, those of what lies deeper by their path ({with.model.name}); one without
 * a value leaves nothing, nor a colon before it at the end.
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

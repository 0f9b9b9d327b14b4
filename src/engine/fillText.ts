/** A text for people with its {fields} filled; one without a value leaves nothing, nor a colon before it at the end. */
export function fillText(text: string, values: Record<string, unknown>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name] ?? '')).replace(/:?\s*$/, '')
}

import { PLAIN_TEXT, type TextFormat } from './debouncedText.ts'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const INTEGER: TextFormat = { ...PLAIN_TEXT, parse: parseInteger }

export function Integer(props: FieldWidgetProps) {
  return <TextInput props={props} format={INTEGER} input={{ inputMode: 'numeric' }} />
}

/** The number, or the text as it was typed where it is none, so that it can be complained of. */
function parseInteger(text: string): unknown {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (digits === '') return undefined
  return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : text.trim()
}

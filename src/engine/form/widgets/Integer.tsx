import { type TextFormat, textOf } from './debouncedText.ts'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const INTEGER: TextFormat = { format: textOf, parse: parseInteger }

export function Integer(props: FieldWidgetProps) {
  return <TextInput props={props} format={INTEGER} input={{ inputMode: 'numeric' }} />
}

/** Parses an integer; returns invalid text as typed, so that validation reports it. */
function parseInteger(text: string): unknown {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (digits === '') return undefined
  return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : text.trim()
}

import type { FieldWidgetProps } from './ask.ts'
import type { TextFormat } from './heldText.ts'
import { PLAIN_TEXT } from './heldText.ts'
import { TextInput } from './TextInput.tsx'

const PHONE: TextFormat = {
  ...PLAIN_TEXT,
  parse: (text) => text.trim().replaceAll(/\s+/g, ' ') || undefined,
}

export function Phone(props: FieldWidgetProps) {
  return <TextInput props={props} format={PHONE} input={{ type: 'tel' }} />
}

import type { TextFormat } from './debouncedText.ts'
import { PLAIN_TEXT } from './debouncedText.ts'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const PHONE: TextFormat = {
  ...PLAIN_TEXT,
  parse: (text) => text.trim().replaceAll(/\s+/g, ' ') || undefined,
}

export function Phone(props: FieldWidgetProps) {
  return <TextInput props={props} format={PHONE} input={{ type: 'tel' }} />
}

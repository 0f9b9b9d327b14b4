import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

export function Phone(props: FieldWidgetProps) {
  return <TextInput props={props} input={{ type: 'tel' }} />
}

import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

/** A time of day as a text input, because native inputs require am or pm in some locales. */
export function Time(props: FieldWidgetProps) {
  return <TextInput props={props} />
}

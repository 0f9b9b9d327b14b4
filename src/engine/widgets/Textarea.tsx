import { controlProps, type FieldWidgetProps, inputClass } from './ask.ts'
import { PLAIN_TEXT, useDebouncedText } from './heldText.ts'

export function Textarea(props: FieldWidgetProps) {
  const { value, onChange, onBlur } = useDebouncedText(props, PLAIN_TEXT)
  return (
    <textarea
      rows={4}
      className={inputClass(props)}
      {...controlProps(props)}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  )
}

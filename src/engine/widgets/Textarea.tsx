import { PLAIN_TEXT, useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

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

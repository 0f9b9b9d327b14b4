import { useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

export function Textarea(props: FieldWidgetProps) {
  const { box, boxProps } = useDebouncedText<HTMLTextAreaElement>(props)
  return (
    <textarea
      rows={4}
      className={inputClass(props)}
      {...controlProps(props)}
      {...boxProps}
      onKeyDown={undefined}
      ref={box}
    />
  )
}

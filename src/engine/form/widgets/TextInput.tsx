import type { InputHTMLAttributes } from 'react'
import { type TextFormat, useDebouncedText } from './debouncedText.ts'
import { controlProps, type FieldWidgetProps, inputClass } from './widgetProps.ts'

interface Props {
  props: FieldWidgetProps
  format?: TextFormat
  input?: InputHTMLAttributes<HTMLInputElement>
}

/** A single-line input with debounced text. */
export function TextInput({ props, format, input }: Props) {
  const { box, boxProps } = useDebouncedText(props, format)
  return (
    <input
      type="text"
      className={inputClass(props)}
      {...controlProps(props)}
      {...input}
      {...boxProps}
      ref={box}
    />
  )
}

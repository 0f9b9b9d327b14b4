import { PLAIN_TEXT, type TextFormat, useDebouncedText } from './debouncedText.ts'
import { PasswordBox } from './PasswordBox.tsx'
import { controlProps, type FieldWidgetProps } from './widgetProps.ts'

/** A space at an end belongs to it. */
const PASSWORD: TextFormat = { ...PLAIN_TEXT, parse: (text) => text || undefined }

interface Props {
  props: FieldWidgetProps
  autoComplete: 'current-password' | 'new-password'
}

/** A password of a form, held until it is left. */
export function PasswordInput({ props, autoComplete }: Props) {
  const { value, onChange, onKeyDown, onBlur } = useDebouncedText(props, PASSWORD)
  return (
    <PasswordBox
      {...controlProps(props)}
      what={props.label.toLowerCase()}
      className="field-password"
      intent={props.rawErrors?.length ? 'danger' : 'none'}
      autoComplete={autoComplete}
      value={value}
      onChange={onChange}
      onKeyDown={onKeyDown}
      onBlur={onBlur}
    />
  )
}

import { useEffect } from 'react'
import { loadable } from '../../core/loadable.tsx'
import { loadPatterns } from '../store/patternErrors.ts'
import { useDebouncedText } from './debouncedText.ts'
import { PasswordBox } from './PasswordBox.tsx'
import { TextInput } from './TextInput.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

const Strength = loadable(() => import('./Strength.tsx'))

const EMAIL = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const

export function Text(props: FieldWidgetProps) {
  const { rules, pattern } = fieldOf(props.options)?.attrs ?? {}
  const hasPattern = pattern !== undefined
  useEffect(() => {
    // If the matcher cannot be loaded, only the server validates the text.
    if (hasPattern) loadPatterns().catch(() => {})
  }, [hasPattern])
  if (rules?.includes('current_password'))
    return <PasswordInput props={props} autoComplete="current-password" />
  if (rules?.includes('new_password'))
    return (
      <>
        <PasswordInput props={props} autoComplete="new-password" />
        <Strength input={controlProps(props).id} />
      </>
    )
  return <TextInput props={props} input={rules?.includes('email') ? EMAIL : undefined} />
}

interface Props {
  props: FieldWidgetProps
  autoComplete: 'current-password' | 'new-password'
}

function PasswordInput({ props, autoComplete }: Props) {
  const { box, boxProps } = useDebouncedText(props)
  return (
    <PasswordBox
      {...controlProps(props)}
      what={props.label.toLowerCase()}
      className="field-password"
      intent={props.rawErrors?.length ? 'danger' : 'none'}
      autoComplete={autoComplete}
      {...boxProps}
      inputRef={box}
    />
  )
}

import { PasswordInput } from './PasswordInput.tsx'
import { TextInput } from './TextInput.tsx'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

const EMAIL = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const

export function Text(props: FieldWidgetProps) {
  const rules = fieldOf(props.options)?.attrs?.rules
  if (rules?.includes('current_password'))
    return <PasswordInput props={props} autoComplete="current-password" />
  if (rules?.includes('new_password')) return <PasswordInput props={props} autoComplete="new-password" />
  return <TextInput props={props} input={rules?.includes('email') ? EMAIL : undefined} />
}

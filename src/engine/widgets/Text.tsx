import { type AskProps, specOf } from './ask.ts'
import { PasswordInput } from './PasswordInput.tsx'
import { TextInput } from './TextInput.tsx'

const EMAIL = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const

export function Text(ask: AskProps) {
  const rules = specOf(ask.options)?.attrs?.rules
  if (rules?.includes('current_password')) return <PasswordInput ask={ask} autoComplete="current-password" />
  if (rules?.includes('new_password')) return <PasswordInput ask={ask} autoComplete="new-password" />
  return <TextInput ask={ask} input={rules?.includes('email') ? EMAIL : undefined} />
}

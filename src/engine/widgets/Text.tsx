import { type AskProps, specOf } from './ask.ts'
import { TextInput } from './TextInput.tsx'

const EMAIL = { inputMode: 'email', autoCapitalize: 'none', spellCheck: false } as const

export function Text(ask: AskProps) {
  const isEmail = specOf(ask.options)?.attrs?.rules?.includes('email')
  return <TextInput ask={ask} input={isEmail ? EMAIL : undefined} />
}

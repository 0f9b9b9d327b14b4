import type { AskProps } from './ask.ts'
import type { TextForm } from './heldText.ts'
import { PLAIN } from './heldText.ts'
import { TextInput } from './TextInput.tsx'

const PHONE: TextForm = {
  ...PLAIN,
  read: (text) => text.trim().replaceAll(/\s+/g, ' ') || undefined,
}

export function Phone(ask: AskProps) {
  return <TextInput ask={ask} form={PHONE} input={{ type: 'tel' }} />
}

import type { AskProps } from './ask.ts'
import { PLAIN, type TextForm } from './heldText.ts'
import { TextInput } from './TextInput.tsx'

const INTEGER: TextForm = { ...PLAIN, read: readInteger }

export function Integer(ask: AskProps) {
  return <TextInput ask={ask} form={INTEGER} input={{ inputMode: 'numeric' }} />
}

/** The number, or the text as it was typed where it is none, so that it can be complained of. */
function readInteger(text: string): unknown {
  const digits = text.replaceAll(/[\s,]/g, '')
  if (digits === '') return undefined
  return /^[+-]?\d{1,15}$/.test(digits) ? Number(digits) : text.trim()
}

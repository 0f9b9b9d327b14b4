import { PLAIN_TEXT, type TextFormat } from './debouncedText.ts'
import { TextInput } from './TextInput.tsx'
import type { FieldWidgetProps } from './widgetProps.ts'

const TIME: TextFormat = { ...PLAIN_TEXT, parse: parseTime }

/** A time of day as a text input, because native inputs require am or pm in some locales. */
export function Time(props: FieldWidgetProps) {
  return <TextInput props={props} format={TIME} />
}

/** Parses '9.30', '930', '9:30 pm' or '9pm' to 'HH:mm'; returns invalid text as typed. */
function parseTime(text: string): unknown {
  const typed = text.trim()
  if (typed === '') return undefined
  const parts = typed
    .replaceAll(/\s/g, '')
    .toLowerCase()
    .match(/^(\d{1,2})(?:[:.]?([0-5]\d))?(am|pm|a\.m\.|p\.m\.)?$/)
  if (!parts) return typed
  const [, hours, minutes = '00', half] = parts
  const hour = half ? (Number(hours) % 12) + (half.startsWith('p') ? 12 : 0) : Number(hours)
  const isTime = half ? Number(hours) >= 1 && Number(hours) <= 12 : hour < 24
  return isTime ? `${String(hour).padStart(2, '0')}:${minutes}` : typed
}

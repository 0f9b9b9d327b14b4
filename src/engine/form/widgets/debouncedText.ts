import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef } from 'react'
import { normaliseValue } from '../../../contract/fieldTypes.ts'
import type { Field } from '../../../contract/generated.ts'
import { formOf } from '../store/formContext.ts'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** Formats a value as the text of an input, and parses that text; undefined for no value. */
export interface TextFormat {
  format: (value: unknown) => string
  parse: (text: string) => unknown
}

/** A text or number as the text of an input. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const formats = new WeakMap<Field, TextFormat>()

/** Parses the text of a field to the form in which it is stored, which the input shows after blur. */
function textFormat(field: Field): TextFormat {
  const known = formats.get(field)
  if (known) return known
  const format: TextFormat = {
    format: textOf,
    parse: (text) => {
      const value = normaliseValue(field, text)
      return value === '' ? undefined : value
    },
  }
  formats.set(field, format)
  return format
}

/** Debounce in ms. Longer would risk text that is not yet in the saved draft. */
const DEBOUNCE_MS = 600

/** Marks an input with text for the print style sheet, because debounced text is not in the React state yet. */
const FILLED = 'data-filled'

/**
 * Props of an input whose text is debounced until a pause or blur. The browser keeps the text, so that a key press
 * renders nothing. A field that others depend on is not debounced.
 */
export function useDebouncedText<Box extends HTMLInputElement | HTMLTextAreaElement = HTMLInputElement>(
  props: FieldWidgetProps,
  { format, parse }: TextFormat = textFormat(fieldOf(props.options)!),
) {
  const { id, value, registry } = props
  const { store, pathOf } = formOf(registry)
  const box = useRef<Box>(null)
  const defaultValue = format(value)
  const latest = useRef({ props, text: defaultValue, isPending: false, sent: value, timer: 0 })
  latest.current.props = props

  const setText = (text: string) => {
    latest.current.text = text
    if (box.current && box.current.value !== text) box.current.value = text
  }
  // The document's value differs from what this input sent, so it was changed from outside.
  useLayoutEffect(() => {
    if (latest.current.isPending || Object.is(value, latest.current.sent)) return
    latest.current.sent = value
    setText(format(value))
  }, [value, format])

  const flush = useRef(() => {
    if (!latest.current.isPending) return
    window.clearTimeout(latest.current.timer)
    latest.current.isPending = false
    store.removePending(flush)
    latest.current.sent = parse(latest.current.text)
    latest.current.props.onChange(latest.current.sent)
  }).current
  useLayoutEffect(() => flush, [flush])

  const onText = (text: string) => {
    latest.current.text = text
    box.current?.toggleAttribute(FILLED, text !== '')
    latest.current.isPending = true
    store.addPending(flush)
    window.clearTimeout(latest.current.timer)
    if (store.hasDependents(pathOf(id))) flush()
    else latest.current.timer = window.setTimeout(flush, DEBOUNCE_MS)
  }
  return {
    text: () => latest.current.text,
    /** Sets the text as if it were typed, and flushes it. */
    type: (text: string) => {
      setText(text)
      onText(text)
      flush()
    },
    box,
    boxProps: {
      defaultValue,
      [FILLED]: defaultValue !== '' || undefined,
      onChange: (event: ChangeEvent<Box>) => onText(event.target.value),
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Enter') flush()
      },
      onBlur: () => {
        props.onBlur(id, value)
        setText(format(parse(latest.current.text)))
      },
    },
  }
}

import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { FieldWidgetProps } from './widgetProps.ts'

/** How a value is written in a box, and what a text means; undefined for nothing. */
export interface TextFormat {
  format: (value: unknown) => string
  parse: (text: string) => unknown
}

/** A text as it stands, without spaces around it. */
export const PLAIN_TEXT: TextFormat = {
  format: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''),
  parse: (text) => text.trim() || undefined,
}

/** Debounce in ms. Longer would risk text that is not yet in the saved draft. */
const DEBOUNCE_MS = 600

/**
 * Props of an input whose text is debounced until a pause or blur, so that a key press renders one input and not
 * the form. A field that others depend on is not debounced.
 */
export function useDebouncedText(props: FieldWidgetProps, { format, parse }: TextFormat) {
  const { id, value, registry } = props
  const { store, pathOf } = registry.formContext
  const [text, setText] = useState(() => format(value))
  const latest = useRef({ props, text, isPending: false, sent: value, timer: 0 })
  latest.current.props = props

  // The document's value differs from what this input sent, so it was changed from outside.
  useLayoutEffect(() => {
    if (latest.current.isPending || Object.is(value, latest.current.sent)) return
    latest.current.sent = value
    latest.current.text = format(value)
    setText(latest.current.text)
  }, [value, format])

  const flush = useRef(() => {
    window.clearTimeout(latest.current.timer)
    if (!latest.current.isPending) return
    latest.current.isPending = false
    latest.current.sent = parse(latest.current.text)
    latest.current.props.onChange(latest.current.sent)
  }).current
  useLayoutEffect(() => {
    const unregister = store.registerFlush(flush)
    return () => {
      flush()
      unregister()
    }
  }, [store, flush])

  const setTyped = (typed: string) => {
    latest.current.text = typed
    latest.current.isPending = true
    setText(typed)
    window.clearTimeout(latest.current.timer)
    if (store.hasDependents(pathOf(id))) flush()
    else latest.current.timer = window.setTimeout(flush, DEBOUNCE_MS)
  }
  return {
    value: text,
    setTyped,
    flush,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setTyped(event.target.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') flush()
    },
    onBlur: () => {
      flush()
      const formatted = format(parse(latest.current.text))
      if (formatted !== latest.current.text) {
        latest.current.text = formatted
        setText(formatted)
      }
      props.onBlur(id, value)
    },
  }
}

import { type ChangeEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import type { AskProps } from './ask.ts'

/** How a value is written in a box, and what a text means; undefined for nothing. */
export interface TextForm {
  write: (value: unknown) => string
  read: (text: string) => unknown
}

/** A text as it stands, without spaces around it. */
export const PLAIN: TextForm = {
  write: (value) => (typeof value === 'string' || typeof value === 'number' ? String(value) : ''),
  read: (text) => text.trim() || undefined,
}

/** Longer than this nothing typed is only in the box, in ms: a draft must survive the browser. */
const PAUSE = 600

/**
 * Props of a text box that holds what is typed until a pause or until it is left, so that a key costs one box and not
 * the form. Where others wait for the answer, every key goes out at once.
 */
export function useHeldText(props: AskProps, { write, read }: TextForm) {
  const { id, value, registry } = props
  const { store, pathOf } = registry.formContext
  const [text, setText] = useState(() => write(value))
  const now = useRef({ props, text, isHeld: false, sent: value, pause: 0 })
  now.current.props = props

  // The document has another value than what this box sent: it came from outside.
  useLayoutEffect(() => {
    if (now.current.isHeld || Object.is(value, now.current.sent)) return
    now.current.sent = value
    now.current.text = write(value)
    setText(now.current.text)
  }, [value, write])

  const flush = useRef(() => {
    window.clearTimeout(now.current.pause)
    if (!now.current.isHeld) return
    now.current.isHeld = false
    now.current.sent = read(now.current.text)
    now.current.props.onChange(now.current.sent)
  }).current
  useLayoutEffect(() => {
    const release = store.hold(flush)
    return () => {
      flush()
      release()
    }
  }, [store, flush])

  const type = (typed: string) => {
    now.current.text = typed
    now.current.isHeld = true
    setText(typed)
    window.clearTimeout(now.current.pause)
    if (store.isMentioned(pathOf(id))) flush()
    else now.current.pause = window.setTimeout(flush, PAUSE)
  }
  return {
    value: text,
    type,
    flush,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => type(event.target.value),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key === 'Enter') flush()
    },
    onBlur: () => {
      flush()
      const tidied = write(read(now.current.text))
      if (tidied !== now.current.text) {
        now.current.text = tidied
        setText(tidied)
      }
      props.onBlur(id, value)
    },
  }
}

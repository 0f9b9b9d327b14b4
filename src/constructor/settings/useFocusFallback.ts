import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** Handlers for a box: when the control in it that has the focus is removed, the focus goes to `to` instead of nowhere. */
export function useFocusFallback(to: RefObject<HTMLElement | null>) {
  const focused = useRef<Element>(undefined)
  useLayoutEffect(() => {
    if (!focused.current || focused.current.isConnected) return
    focused.current = undefined
    to.current?.focus()
  })
  return {
    onFocus: (event: FocusEvent) => {
      focused.current = event.target
    },
    onBlur: () => {
      focused.current = undefined
    },
  }
}

import { type FocusEvent, type RefObject, useLayoutEffect, useRef } from 'react'

/** Handlers for a box: when the control in it that has the focus is removed, the focus goes to `to` instead of nowhere. */
export function useRescuedFocus(to: RefObject<HTMLElement | null>) {
  const held = useRef<Element>(undefined)
  useLayoutEffect(() => {
    if (!held.current || held.current.isConnected) return
    held.current = undefined
    to.current?.focus()
  })
  return {
    onFocus: (event: FocusEvent) => {
      held.current = event.target
    },
    onBlur: () => {
      held.current = undefined
    },
  }
}

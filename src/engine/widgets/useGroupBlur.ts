import { type FocusEvent, useCallback } from 'react'
import type { FieldWidgetProps } from './widgetProps.ts'

/** For each control of a set: tells that the set was left once the focus goes to something outside of it. */
export function useGroupBlur({ id, value, onBlur }: FieldWidgetProps) {
  return useCallback(
    ({ relatedTarget }: FocusEvent) => {
      if (!document.getElementById(id)?.contains(relatedTarget)) onBlur(id, value)
    },
    [id, value, onBlur],
  )
}

import type { ReactNode } from 'react'

const CONTROLS = 'input, select, textarea, button'

/** Moves the focus to a control by its id, or to the first one of a set of controls; false where there is none. */
export function focusControl(id: string): boolean {
  const found = document.getElementById(id)
  const control = found?.matches(CONTROLS) ? found : found?.querySelector<HTMLElement>(CONTROLS)
  control?.scrollIntoView?.({ block: 'center' })
  control?.focus()
  return Boolean(control)
}

/** A link that moves the focus to a control by its id, or to the first one of a set of controls. */
export function FieldLink({ id, children }: { id: string; children: ReactNode }) {
  return (
    <a
      href={`#${id}`}
      onClick={(event) => {
        event.preventDefault()
        focusControl(id)
      }}
    >
      {children}
    </a>
  )
}

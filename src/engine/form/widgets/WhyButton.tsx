import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Field } from '../../../contract/generated.ts'
import { ErrorBoundary } from '../../core/ErrorBoundary.tsx'
import { loadable } from '../../core/loadable.tsx'
import type { FormStore } from '../store/formStore.ts'

const WhyPanel = loadable(() => import('./WhyPanel.tsx'))

/** True if a visible field is calculated, required by a condition, or refused by a check with this message. */
export function hasReason({ attrs = {} }: Field, isRequired: boolean, error: string | undefined): boolean {
  const isRequiredNow = attrs.required_when !== undefined && !attrs.required && isRequired
  const isRefused = error !== undefined && (attrs.checks ?? []).some(({ message }) => message === error)
  return attrs.calc !== undefined || isRequiredNow || isRefused
}

interface Props {
  store: FormStore
  /** Paths of the explained fields, from the root of the document. */
  paths: string[]
  /** Completes the accessible name of the button. */
  about: string
}

/** A button that opens the reasons for the state of fields below itself; they are computed only then. */
export function WhyButton({ store, paths, about }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    // Keeps an enclosing dialog open.
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles events of the button and the panel inside
    <div
      className="why no-print"
      onKeyDown={close}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) setOpen(false)
      }}
    >
      <button
        ref={button}
        type="button"
        className="link-button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        Why? <span className="visually-hidden">{about}</span>
      </button>
      {isOpen && (
        <ErrorBoundary what="The reason" fallback={null}>
          <WhyPanel {...{ id, store, paths, about }} />
        </ErrorBoundary>
      )}
    </div>
  )
}

import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { Field } from '../../contract/generated.ts'
import { loadable } from '../page/loadable.tsx'
import type { FormStore } from './formStore.ts'

const WhyPanel = loadable(() => import('./WhyPanel.tsx'))

/** Whether conditions, a calculation or the check with this message decide about a field that is drawn. */
export function hasReason({ attrs = {} }: Field, isRequired: boolean, error: string | undefined): boolean {
  const isRequiredNow = attrs.required_when !== undefined && !attrs.required && isRequired
  const isRefused = error !== undefined && (attrs.checks ?? []).some(({ message }) => message === error)
  return attrs.calc !== undefined || isRequiredNow || isRefused
}

interface Props {
  store: FormStore
  /** Of the fields that are explained, from the root of the document. */
  paths: string[]
  /** What screen readers name the button by. */
  about: string
}

/** Opens what decides about fields, right below itself; the reasons are made only then. */
export function WhyButton({ store, paths, about }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const close = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return
    // A dialog around it stays open.
    event.stopPropagation()
    setOpen(false)
    button.current?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only notices what its button and its panel do.
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
      {isOpen && <WhyPanel {...{ id, store, paths, about }} />}
    </div>
  )
}

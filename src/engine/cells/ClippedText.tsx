import { type ReactNode, useRef, useState } from 'react'
import { useClipped } from '../core/useClipped.ts'

/** A text that is clipped after some lines, with a button to show all of it. `label` names it for screen readers. */
export function ClippedText({ label, children }: { label: string; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const [isOpen, setOpen] = useState(false)
  const isClipped = useClipped(box, isOpen)
  return (
    <div ref={box}>
      <div className={isOpen ? 'clipped-text' : 'clipped-text clipped'} data-clip>
        {children}
      </div>
      {(isOpen || isClipped) && (
        <button
          type="button"
          className="link-button no-print"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? 'Show less' : 'Show more'} <span className="visually-hidden">of {label}</span>
        </button>
      )}
    </div>
  )
}

import { useRef, useState } from 'react'
import { useClipped } from '../page/useClipped.ts'

/** The old value struck through and the new one; long texts are cut short until asked for in full. */
export function ChangeText({ label, from, to }: { label: string; from: string; to: string }) {
  const box = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState(false)
  const clipped = useClipped(box, open)
  return (
    <div ref={box}>
      <div className={open ? 'changes-text' : 'changes-text changes-clip'} data-clip>
        {from && (
          <>
            <del>
              <span className="visually-hidden">From </span>
              {from}
            </del>{' '}
          </>
        )}
        {to ? (
          <ins>
            <span className="visually-hidden">to </span>
            {to}
          </ins>
        ) : (
          <em>emptied</em>
        )}
      </div>
      {(open || clipped) && (
        <button
          type="button"
          className="link-button no-print"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? 'Show less' : 'Show more'} <span className="visually-hidden">of {label}</span>
        </button>
      )}
    </div>
  )
}

import { useId, useState } from 'react'
import { formatDateTime } from '../core/dates.ts'
import type { CellProps } from './cell.ts'

/**
 * A button that shows in place why a row is there: the condition of an automation, with its label and who made it true
 * and when, from the fields `because_label`, `because_by` and `because_at` of the row. Always visible in print.
 */
export function WhyCell({ value, row }: CellProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  if (!value) return null
  const { because_label: label, because_by: by, because_at: at, title } = row
  const when = [by, typeof at === 'string' && formatDateTime(at)].filter(Boolean).join(', ')
  return (
    <span className="why-here">
      <button
        type="button"
        className="link-button no-print"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? 'Hide why' : 'Why is this here?'}{' '}
        <span className="visually-hidden">{String(title ?? '')}</span>
      </button>
      <span id={id} className="why-here-text" hidden={!isOpen}>
        {[label, String(value)].filter(Boolean).join(': ')}.{when && ` ${when}.`}
      </span>
    </span>
  )
}

import { type ReactElement, type ReactNode, useState } from 'react'

interface Props {
  summary: ReactNode
  className?: string
  /** Opens and closes it when this changes; in between people do. */
  open?: boolean
  children: ReactNode
}

/** Details that are drawn, with all that they load, only while they are open. */
export function Disclosure({ summary, className, open = false, children }: Props): ReactElement {
  const [isOpen, setOpen] = useState(open)
  return (
    <details className={className} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}

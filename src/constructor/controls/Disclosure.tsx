import { type ReactElement, type ReactNode, useState } from 'react'

interface Props {
  summary: ReactNode
  className?: string
  /** A change of this prop opens or closes it; in between the person does. */
  open?: boolean
  children: ReactNode
}

/** Details whose content is mounted, and loads its data, only while they are open. */
export function Disclosure({ summary, className, open = false, children }: Props): ReactElement {
  const [isOpen, setOpen] = useState(open)
  return (
    <details className={className} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children}
    </details>
  )
}

import { Button } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'

interface Props {
  /** Undefined until it is counted. */
  words: string | undefined
  limit: string
  isCounting: boolean
  /** Counts the records again; undefined while nothing was changed since. */
  onCount: (() => void) | undefined
  /** What can be done about the records. */
  children: ReactNode
}

/** What would become of records if the selected automation or deadline were published now. */
export function ImpactNote({ words, limit, isCounting, onCount, children }: Props): ReactElement {
  const counted = words ? [words, limit].filter(Boolean).join(' ') : 'Its records are not counted yet.'
  return (
    <div className="automation-impact">
      <p role="status">
        <strong>If published now</strong> {isCounting ? 'Counting the records…' : counted}
      </p>
      {!isCounting && children}
      {onCount && !isCounting && <Button size="small" icon="refresh" text="Count again" onClick={onCount} />}
    </div>
  )
}

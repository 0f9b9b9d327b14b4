import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { describeError } from './describeError.ts'

interface Props {
  /** A sentence about the missing data. */
  title: string
  error: unknown
  onRetry: () => void
  children?: ReactNode
}

/** The error of a small part of a page, with a retry, so that a failed read does not look like an empty part. */
export function ReadFailure({ title, error, onRetry, children }: Props) {
  return (
    <>
      <p role="alert">
        <strong>{title}</strong> {describeError(error).text} {children}
      </p>
      <Button size="small" icon="refresh" text="Retry" onClick={onRetry} />
    </>
  )
}

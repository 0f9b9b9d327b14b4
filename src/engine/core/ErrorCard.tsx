import { Button, Card } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { describeError, requestIdOf } from './describeError.ts'
import { RequestId } from './RequestId.tsx'

export function ErrorCard({
  title,
  error,
  onRetry,
  heading: Heading = 'h2',
  children,
}: {
  title?: string
  error?: unknown
  onRetry?: () => void
  /** Use h1 if the card is the only content of the page. */
  heading?: 'h1' | 'h2'
  children?: ReactNode
}) {
  const words = error === undefined ? { title: '', text: '' } : describeError(error)
  return (
    <Card className="error-card" role="alert">
      <Heading>{title ?? words.title}</Heading>
      {words.text && <p>{words.text}</p>}
      {children}
      <RequestId id={requestIdOf(error)} />
      {onRetry && <Button icon="refresh" text="Retry" onClick={onRetry} />}
    </Card>
  )
}

import { Button, Card } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { describeError, requestIdOf } from '../runtime/describeError.ts'
import { RequestId } from './RequestId.tsx'

/** In the place of what failed: what it was, why, and a way on. */
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
  /** h1 where the card is all there is on the page. */
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

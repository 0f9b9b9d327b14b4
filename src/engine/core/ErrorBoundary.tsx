import { Component, type ReactNode } from 'react'
import { describeError, isNotFetched } from './describeError.ts'
import { ErrorCard } from './ErrorCard.tsx'
import { notify } from './notices.ts'

interface Props {
  what: string
  /** Rendered after an error, with a notice; omitted: a card with the error and a retry. */
  fallback?: ReactNode
  children: ReactNode
}

/** An error boundary; React supports these as classes only. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidCatch(error: unknown) {
    const { what, fallback } = this.props
    if (fallback === undefined) return
    notify({ kind: 'error', title: `${what} could not be shown`, text: describeError(error).text })
  }

  retry = () => {
    if (isNotFetched(this.state.error)) location.reload()
    else this.setState({ error: undefined })
  }

  override render() {
    const { what, fallback, children } = this.props
    const { error } = this.state
    if (error === undefined) return children
    if (fallback !== undefined) return fallback
    return <ErrorCard title={`${what} could not be shown`} error={error} onRetry={this.retry} />
  }
}

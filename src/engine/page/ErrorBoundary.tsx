import { Component, type ReactNode } from 'react'
import { isNotFetched } from '../runtime/describeError.ts'
import { ErrorCard } from './ErrorCard.tsx'

interface Props {
  what: string
  children: ReactNode
}

/** An error boundary; React supports these as classes only. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  retry = () => {
    if (isNotFetched(this.state.error)) location.reload()
    else this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <ErrorCard title={`${this.props.what} could not be shown`} error={error} onRetry={this.retry} />
  }
}

import { Button } from '@blueprintjs/core'
import { useNavigate } from 'react-router-dom'
import { statusOf } from './describeError.ts'
import { ErrorCard } from './ErrorCard.tsx'

const WORDS: Record<number, (what: string) => string> = {
  404: (what) => `There is no such ${what}, or you may not see it`,
  403: (what) => `You may not see this ${what}`,
}

/** The page of a record that could not be read; `what` is the title of its entity. */
export function Missing({ what, error, onRetry }: { what: string; error: unknown; onRetry: () => void }) {
  const words = WORDS[statusOf(error) ?? 0]
  if (!words) return <ErrorCard heading="h1" error={error} onRetry={onRetry} />
  return (
    <ErrorCard heading="h1" title={words(what.toLowerCase())}>
      <Back />
    </ErrorCard>
  )
}

function Back() {
  const navigate = useNavigate()
  const go = () => {
    // If the router's history index is 0, this is the first page of the visit, so there is no page to go back to.
    if (window.history.state?.idx > 0) navigate(-1)
    else navigate('/', { replace: true })
  }
  return <Button icon="arrow-left" text="Go back" onClick={go} />
}

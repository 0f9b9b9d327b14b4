import { Button } from '@blueprintjs/core'
import { branding } from './core/branding.ts'
import { MESSAGES } from './core/messages.ts'

/** The page if the contract or the session could not be loaded from the server. */
export function Unreachable({ onRetry, onSignOut }: { onRetry: () => void; onSignOut?: () => void }) {
  return (
    <main className="front">
      <h1>{branding().product}</h1>
      <p role="alert">{MESSAGES.notLoaded}</p>
      <Button text="Try again" intent="primary" onClick={onRetry} />
      {onSignOut && <Button text="Sign out" onClick={onSignOut} />}
    </main>
  )
}

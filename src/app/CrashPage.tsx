import { Button } from '@blueprintjs/core'
import { MESSAGES } from './messages.ts'

/** In place of everything where drawing failed, most often because a newer version has replaced this one. */
export function CrashPage() {
  return (
    <main className="front">
      <h1>{MESSAGES.product}</h1>
      <p role="alert">This page could not be shown.</p>
      <Button text="Load it again" intent="primary" onClick={() => location.reload()} />
    </main>
  )
}

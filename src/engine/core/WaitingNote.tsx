import { Button } from '@blueprintjs/core'
import type { WaitingSave } from './waitingSaves.ts'

/** Says beside the button of a save that it waits for the connection, and offers to cancel it. */
export function WaitingNote({ save }: { save: WaitingSave | undefined }) {
  return (
    <span className="waiting-note" role="status">
      {save && (
        <>
          Waiting for the connection. It will be sent automatically.{' '}
          <Button size="small" text="Cancel sending" onClick={save.cancel} />
        </>
      )}
    </span>
  )
}

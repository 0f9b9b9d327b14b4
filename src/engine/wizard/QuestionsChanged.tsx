import { Button, Callout } from '@blueprintjs/core'
import type { MetaChange } from './metas.ts'

/** What changed in the questions since this was begun. */
export function QuestionsChanged({ change, onDismiss }: { change: MetaChange; onDismiss: () => void }) {
  return (
    <Callout className="form-note" title="The questions have changed since you began" role="status">
      {change.added.length > 0 && <p>New: {change.added.join(', ')}</p>}
      {change.removed.length > 0 && (
        <p>No longer asked: {change.removed.join(', ')}. Your answers to these are kept.</p>
      )}
      <Button size="small" text="Go on" onClick={onDismiss} />
    </Callout>
  )
}

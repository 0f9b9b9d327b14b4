import { Button } from '@blueprintjs/core'
import { type MouseEvent, useEffect } from 'react'
import type { FormChanges } from '../../form/store/formChanges.ts'

interface Props {
  /** The first sentence, without its full stop. */
  title: string
  /** undefined: nothing changed. */
  changes: FormChanges | undefined
  /** A last sentence. */
  ending?: string
  onDismiss: () => void
}

/**
 * Notice in the bar of a form or wizard that a new version changed its fields. The bar stays in view, so the notice is
 * visible wherever the person is typing.
 */
export function QuestionsChanged({ title, changes, ending, onDismiss }: Props) {
  // The notice makes the bar higher: scroll, so that it does not cover the focused control.
  useEffect(() => {
    if (!changes) return
    const frame = requestAnimationFrame(() => document.activeElement?.scrollIntoView?.({ block: 'nearest' }))
    return () => cancelAnimationFrame(frame)
  }, [changes])
  const dismiss = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const buttons = currentTarget.closest('.form-bar')?.querySelectorAll('button') ?? []
    ;[...buttons].find((one) => one !== currentTarget)?.focus()
    onDismiss()
  }
  return (
    <div className={changes ? 'form-changed' : 'visually-hidden'}>
      {/* The live region must exist before its text, or screen readers do not announce it. */}
      <div role="status">
        {changes && (
          <p>
            <strong>{title}.</strong> {[describeChanges(changes), ending].filter(Boolean).join(' ')}
          </p>
        )}
      </div>
      {changes && <Button size="small" text="Dismiss" aria-label="Dismiss this note" onClick={dismiss} />}
    </div>
  )
}

const MAX_LABELS = 5

/** 'No longer asked: Ward. New: Bed, Floor. Must be answered now: Bed.' */
function describeChanges({ gone, added, required, changed }: FormChanges): string {
  const sentences = [
    ['No longer asked', gone],
    ['New', added],
    ['Must be answered now', required],
    ['Changed', changed],
  ] as const
  return sentences
    .filter(([, labels]) => labels.length > 0)
    .map(([what, labels]) => `${what}: ${someOf(labels)}.`)
    .join(' ')
}

function someOf(labels: string[]): string {
  const more = labels.length - MAX_LABELS
  return more > 0 ? `${labels.slice(0, MAX_LABELS).join(', ')} and ${more} more` : labels.join(', ')
}

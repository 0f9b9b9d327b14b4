import { Button } from '@blueprintjs/core'
import { type MouseEvent, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../contract/generated.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { addChanges, type FormChanges } from './formChanges.ts'
import type { FormHandle } from './formStore.ts'

interface Props {
  groups: FormScreen['groups']
  /** What the form reads besides its record, by name. */
  values: Values
  /** Another one after each save. */
  saved?: unknown
  form: RefObject<FormHandle | null>
}

/** A notice in the form's bar that its case type was published while the form was open. */
export function MetaChangedNotice({ groups, values, saved, form }: Props) {
  const [changedMeta, dismissNotice] = useMetaChange(groups, values, saved, form)
  const dismiss = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    const buttons = currentTarget.closest('.form-bar')?.querySelectorAll('button') ?? []
    ;[...buttons].find((one) => one !== currentTarget)?.focus()
    dismissNotice()
  }
  return (
    <div className={changedMeta ? 'form-changed' : 'visually-hidden'}>
      {/* The live region must exist before its text, or screen readers do not announce it. */}
      <div role="status">
        {changedMeta && (
          <p>
            The form “{changedMeta.label}” was changed while you had it open; what you typed is kept.{' '}
            {changeWords(changedMeta.changes)} This note goes when you save.
          </p>
        )}
      </div>
      {changedMeta && <Button size="small" text="Dismiss" aria-label="Dismiss this note" onClick={dismiss} />}
    </div>
  )
}

const MOST = 5

/** 'No longer asked: Ward. New: Bed, Floor.' */
function changeWords({ gone, added, changed }: FormChanges): string {
  const sentences = [
    ['No longer asked', gone],
    ['New', added],
    ['Changed', changed],
  ] as const
  return sentences
    .filter(([, labels]) => labels.length > 0)
    .map(([what, labels]) => `${what}: ${someOf(labels)}.`)
    .join(' ')
}

function someOf(labels: string[]): string {
  const more = labels.length - MOST
  return more > 0 ? `${labels.slice(0, MOST).join(', ')} and ${more} more` : labels.join(', ')
}

interface MetaChange {
  /** The name of the meta. */
  label: string
  changes: FormChanges
}

/** What changed on the page since a meta of the form was published anew, after it was opened or `saved` last; and how to dismiss it. */
function useMetaChange(
  groups: FormScreen['groups'],
  values: Values,
  saved: unknown,
  form: RefObject<FormHandle | null>,
): [change: MetaChange | undefined, dismiss: () => void] {
  const [changedMeta, setChangedMeta] = useState<MetaChange>()
  const versions = useRef<Record<string, unknown>>({})
  const dismiss = useCallback(() => setChangedMeta(undefined), [])
  useEffect(dismiss, [saved])
  useEffect(() => {
    let isNew: string | undefined
    const names = groups.flatMap(({ from }) => from?.match(/^with\.(\w+)\./)?.[1] ?? [])
    for (const name of names) {
      const meta = values[name]
      if (!isPlainObject(meta)) continue
      const before = versions.current[name]
      versions.current[name] = meta.version
      if (before !== undefined && before !== meta.version) isNew = String(meta.label ?? name)
    }
    const changes = form.current?.takeFormChanges()
    if (isNew === undefined) return
    const label = isNew
    setChangedMeta((old) => ({ label, changes: addChanges(old?.changes, changes) }))
  }, [groups, values, form])
  return [changedMeta, dismiss]
}

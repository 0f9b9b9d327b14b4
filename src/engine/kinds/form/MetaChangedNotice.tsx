import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../../contract/generated.ts'
import { isPlainObject, type Values } from '../../../contract/when.ts'
import { addChanges, type FormChanges } from '../../form/store/formChanges.ts'
import type { FormHandle } from '../../form/store/formStore.ts'
import { QuestionsChanged } from './QuestionsChanged.tsx'

interface Props {
  groups: FormScreen['groups']
  /** Results of the screen's `with` reads, by name. */
  values: Values
  /** Changes with each save, which dismisses the notice. */
  saved?: unknown
  form: RefObject<FormHandle | null>
}

/** Notice in the bar of a form that a new version of its meta was published while the form was open. */
export function MetaChangedNotice({ groups, values, saved, form }: Props) {
  const [changedMeta, dismiss] = useMetaChange(groups, values, saved, form)
  return (
    <QuestionsChanged
      title={`The form “${changedMeta?.label}” was changed while you had it open; what you typed is kept`}
      changes={changedMeta?.changes}
      ending="This note disappears when you save."
      onDismiss={dismiss}
    />
  )
}

interface MetaChange {
  label: string
  changes: FormChanges
}

/**
 * The changes on the page by new versions of a meta since the form was opened or last `saved`, and a function to
 * dismiss them.
 */
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

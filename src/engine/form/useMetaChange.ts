import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { isPlainObject } from '../../contract/when.ts'
import { addChanges, type FormChanges } from './formChanges.ts'
import type { FormHandle } from './store.ts'

export interface News {
  /** The name of the meta. */
  label: string
  changes: FormChanges
}

/** That a meta of the form was published anew since it was opened or `saved` last, with what changed on the page; and how to be rid of it. */
export function useMetaChange(
  groups: FormScreen['groups'],
  values: Values,
  saved: unknown,
  form: RefObject<FormHandle | null>,
): [news: News | undefined, settle: () => void] {
  const [changedMeta, setChangedMeta] = useState<News>()
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

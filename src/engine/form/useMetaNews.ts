import { useCallback, useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../contract/types.ts'
import type { Values } from '../../contract/when.ts'
import { isGroup } from './layOver.ts'

/** The name of a meta of the form that was published anew since it was opened or `saved` last, and how to be rid of it. */
export function useMetaNews(
  groups: FormScreen['groups'],
  values: Values,
  saved: unknown,
): [news: string | undefined, settle: () => void] {
  const [news, setNews] = useState<string>()
  const versions = useRef<Record<string, unknown>>({})
  const settle = useCallback(() => setNews(undefined), [])
  useEffect(settle, [saved])
  useEffect(() => {
    const names = groups.flatMap(({ from }) => from?.match(/^with\.(\w+)\./)?.[1] ?? [])
    for (const name of names) {
      const meta = values[name]
      if (!isGroup(meta)) continue
      const before = versions.current[name]
      versions.current[name] = meta.version
      if (before !== undefined && before !== meta.version) setNews(String(meta.label ?? name))
    }
  }, [groups, values])
  return [news, settle]
}

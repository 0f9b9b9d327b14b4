import { useEffect, useRef, useState } from 'react'
import type { FormScreen } from '../../contract/types.ts'
import { isGroup } from './layOver.ts'
import type { WithValues } from './useWith.ts'

/** The name of a meta of the form that was published anew while the form was open; undefined while none was. */
export function useMetaNews(groups: FormScreen['groups'], { values }: WithValues): string | undefined {
  const [news, setNews] = useState<string>()
  const versions = useRef<Record<string, unknown>>({})
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
  return news
}

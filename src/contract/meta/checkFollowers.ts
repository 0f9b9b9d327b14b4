import { followersOfLast } from '../followers.ts'
import type { MetaName, Metas } from './metaTypes.ts'
import { fieldsByName } from './places.ts'

/**
 * The error of something that is shown to everybody who sees a record and looks at a field that follows from the last
 * one, which not everybody sees; undefined if it looks at none.
 */
export function followerError(
  metas: Metas,
  looksAt: (meta: MetaName, name: string) => boolean,
): string | undefined {
  for (const meta of ['case_meta', 'issue_meta'] as const)
    for (const name of followersOfLast(metas[meta]))
      if (looksAt(meta, name)) {
        const label = fieldsByName(metas[meta]).get(name)?.label ?? name
        return `'${label}' follows from the last record, which not everybody sees; choose another field`
      }
  return undefined
}

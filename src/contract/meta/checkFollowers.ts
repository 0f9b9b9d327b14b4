import { followersOfLast } from '../followers.ts'
import type { MetaName, Metas } from './metaTypes.ts'
import { fieldsByName } from './places.ts'

/**
 * Error of something that everybody who sees a record can read, but that uses a field that depends on the last record,
 * which not everybody may see; undefined if it uses no such field.
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

import { useMemo } from 'react'
import type { Known, Metas } from '../../contract/meta/metaTypes.ts'
import { placesOf } from '../../contract/meta/places.ts'
import { useContract } from '../../engine/core/contract.ts'
import { useLookup } from '../../engine/core/lookups.ts'

/**
 * The data that references of fields are validated against. Items of the lookup with parent lists are fetched once a
 * field uses it.
 */
export function useKnown({ case_meta, issue_meta }: Metas): Known {
  const { lookups, entities } = useContract()
  const isNested = useMemo(
    () =>
      [case_meta, issue_meta].some((groups) =>
        [...placesOf(groups)].some(({ field }) => lookups[field.attrs?.lookup ?? '']?.parent),
      ),
    [case_meta, issue_meta, lookups],
  )
  const name = isNested ? Object.values(lookups).find(({ parent }) => parent)?.needs : undefined
  const lists = useLookup(name, { active: false })
  return useMemo(
    () => ({ lookups, entities, ...(name && lists && { lists: { [name]: lists } }) }),
    [lookups, entities, name, lists],
  )
}

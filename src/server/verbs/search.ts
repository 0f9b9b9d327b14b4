import { bodyParametersOf } from '../../contract/call.ts'
import type { Entity } from '../../contract/generated.ts'
import { auditSearch } from '../audit/auditSearch.ts'
import type { Call } from '../call.ts'
import { list, type Sum } from './list.ts'
import { singlePage } from './singlePage.ts'

/** A page of the visible rows that the filters of the body find, audited; without a filter none. */
export async function search(call: Call, entity: Entity, sum?: Sum) {
  const filters = filtersOf(call)
  if (Object.keys(filters).length === 0) return singlePage([])
  // Nothing is answered before it is written down.
  const [page] = await Promise.all([
    list(call, entity, sum),
    auditSearch(call, entity.scope ?? entity.$id, filters),
  ])
  return page
}

function filtersOf({ contract, endpoint, query }: Call): Call['query'] {
  const names = Object.keys(bodyParametersOf(contract, endpoint))
  return Object.fromEntries(Object.entries(query).filter(([name]) => names.includes(name)))
}

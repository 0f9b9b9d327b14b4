import { bodyParametersOf } from '../../../contract/call.ts'
import type { Entity } from '../../../contract/generated.ts'
import type { Call } from '../../core/call.ts'
import { singlePage } from '../../core/singlePage.ts'
import { auditSearch } from '../audit/auditSearch.ts'
import { list, type Sum } from './list.ts'

/** A page of the visible rows that match the filters of the body, and audits the search; empty without a filter. */
export async function search(call: Call, entity: Entity, sum?: Sum) {
  const filters = filtersOf(call)
  if (Object.keys(filters).length === 0) return singlePage([])
  // No rows are returned before the audit event is stored.
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

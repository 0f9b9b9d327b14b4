import { allows } from '../../../contract/access.ts'
import { parametersOf } from '../../../contract/call.ts'
import type { Entity } from '../../../contract/generated.ts'
import { deathInRow } from '../../../contract/lifespan.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { formatDate } from '../../core/dates.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import type { ListReply } from '../../core/results.ts'
import { useUser } from '../../core/user.ts'
import type { Choice } from './Typeahead.tsx'
import { useDebounced } from './useDebounced.ts'

const PAGE_SIZE = 100

/**
 * The rows of the first call that the user may make: the first 100 and, if there are more (`isMore`), the search
 * results for the typed text; filtered by those of `params` that the call knows. `call` is undefined if none is
 * allowed, `rows` while loading.
 */
export function useRefChoices(calls: string[] = [], typed: string, params: Values = {}) {
  const contract = useContract()
  const { endpoints, roles } = contract
  const { groups } = useUser()
  const call = calls.find((name) => allows(roles, endpoints[name].roles, groups))
  const known = parametersOf(contract, endpoints[call ?? ''])
  const filters = Object.fromEntries(Object.entries(params).filter(([name]) => name in known))
  const term = useDebounced(typed)
  const first = useRead<ListReply>(call, { query: { ...filters, page_size: PAGE_SIZE } }).data
  const isMore = first !== undefined && first.pagination.count > first.data.length
  const searchCall = isMore && term ? call : undefined
  const more = useRead<ListReply>(
    searchCall,
    { query: { ...filters, page_size: PAGE_SIZE, term } },
    { keepPrevious: true },
  )
  const ids = new Set(first?.data.map((row) => row.id))
  const added = searchCall ? (more.data?.data.filter((row) => !ids.has(row.id)) ?? []) : []
  return {
    call,
    rows: first && ([...first.data, ...added] as Values[]),
    isMore,
    isSearching: isMore && (typed !== term || more.isFetching),
  }
}

/** Converts a row to a choice, with the label and details that its entity defines, and the death of its client. */
export function choiceOf(
  row: Values,
  chosen: Pick<NonNullable<Entity['chosen']>, 'label' | 'about' | 'warning'> | undefined,
  properties: Entity['properties'] = {},
): Choice {
  const death = deathInRow(properties, row)
  const about = [
    ...(death ? [`client died ${formatDate(death)}`] : []),
    ...(chosen?.about ?? [])
      .filter((name) => isSet(row[name]))
      .map((name) => (properties[name]?.format === 'date' ? formatDate(String(row[name])) : row[name])),
  ]
  return {
    value: row.id,
    label: fillTemplate(chosen?.label ?? '{id}', row),
    about: about.join(', ') || undefined,
    ...(chosen?.warning && isSet(row[chosen.warning]) && { warning: String(row[chosen.warning]) }),
  }
}

import {
  hashKey,
  type QueryClient,
  type UseQueryResult,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { type LookupParams, TOTAL_COUNT } from '../../contract/lookupCall.ts'
import { useContract } from './contract.ts'
import { http } from './http.ts'

/** One choice of a lookup; `active: false` is retired; other keys (parent, group, service …) depend on the lookup. */
export interface Item {
  value: number | string
  label: string
  active?: boolean
  [key: string]: unknown
}

/** The items of a lookup in one reply, and the number of all items (`isMore`: others are found by a search term). */
interface LookupList {
  items: Item[]
  count: number
  isMore: boolean
}

const MINUTES = 60_000
const NONE: Item[] = []

/** The items of a lookup, filtered by its parameters; undefined while they load, idle without a name. */
export function useLookup(name: string | undefined, params?: LookupParams): Item[] | undefined {
  return useLookupList(name, params).data?.items
}

/** The same with the number of all items; with `keep`, those of the previous term until the new ones are loaded. */
export function useLookupList(
  name: string | undefined,
  params: LookupParams = {},
  options: { keep?: boolean } = {},
): UseQueryResult<LookupList> {
  const contract = useContract()
  return useQuery({
    queryKey: ['lookup', name, params],
    queryFn: async (): Promise<LookupList> => {
      const { data: items, headers } = await http.get<Item[]>(contract.lookups[name!].path, {
        params,
        showsLoss: true,
      })
      const count = Number(headers[TOTAL_COUNT.toLowerCase()] ?? items.length)
      return { items, count, isMore: count > items.length }
    },
    enabled: name !== undefined,
    staleTime: 5 * MINUTES,
    ...(options.keep && {
      placeholderData: (before?: LookupList, query?: { queryKey: readonly unknown[] }) =>
        hashKey([withoutTerm(query?.queryKey[2])]) === hashKey([withoutTerm(params)]) ? before : undefined,
    }),
  })
}

function withoutTerm(params: unknown): LookupParams {
  const { term, ...others } = (params ?? {}) as LookupParams
  return others
}

/** Items by their ids, including retired ones, that match the parameters; undefined while they load. */
export function useLookupItems(
  name: string | undefined,
  ids: number[],
  params: LookupParams = {},
): Item[] | undefined {
  const contract = useContract()
  const client = useQueryClient()
  const { data } = useQuery({
    queryKey: ['lookup', name, params, ids],
    queryFn: async () => {
      const { path } = contract.lookups[name!]
      const found = await Promise.all(ids.map((id) => fetchItem(path, params, id)))
      return found.filter((item) => item !== undefined)
    },
    enabled: name !== undefined && ids.length > 0,
    staleTime: 5 * MINUTES,
    // Items that were loaded by a search or in a list keep their labels while they are loaded by id.
    placeholderData: () => cachedItems(client, name, params, ids),
  })
  return ids.length === 0 ? NONE : data
}

/** The items with these ids if other queries of the same lookup and parameters have cached all of them. */
function cachedItems(
  client: QueryClient,
  name: string | undefined,
  params: LookupParams,
  ids: number[],
): Item[] | undefined {
  const narrowing = (of: unknown) => hashKey([{ ...withoutTerm(of), active: undefined }])
  const known = client
    .getQueriesData<LookupList | Item[]>({ queryKey: ['lookup', name] })
    .filter(([key]) => narrowing(key[2]) === narrowing(params))
    .flatMap(([, data]) => (Array.isArray(data) ? data : (data?.items ?? [])))
  const found = ids.map((id) => known.find(({ value }) => value === id))
  return found.every((item) => item !== undefined) ? found : undefined
}

/** Maximum number of ids in a URL. */
const MAX_IDS = 200

interface Batch {
  ids: Set<number>
  items: Promise<Map<unknown, Item>>
}
const waiting = new Map<string, Batch>()

/** One item of a lookup by its id; calls in the same tick, such as by rows of a list, are batched into one request. */
async function fetchItem(path: string, params: LookupParams, id: number): Promise<Item | undefined> {
  const key = JSON.stringify([path, params])
  const batch = waiting.get(key) ?? newBatch(key, path, params)
  batch.ids.add(id)
  if (batch.ids.size === MAX_IDS) waiting.delete(key)
  return (await batch.items).get(id)
}

function newBatch(key: string, path: string, params: LookupParams): Batch {
  const ids = new Set<number>()
  const items = new Promise((resolve) => setTimeout(resolve, 0)).then(async () => {
    if (waiting.get(key)?.ids === ids) waiting.delete(key)
    const { data } = await http.get<Item[]>(path, { params: { ...params, id: [...ids] }, showsLoss: true })
    return new Map(data.map((item) => [item.value as unknown, item]))
  })
  const batch = { ids, items }
  waiting.set(key, batch)
  return batch
}

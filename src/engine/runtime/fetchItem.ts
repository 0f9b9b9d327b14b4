import type { LookupParams } from '../../contract/lookupCall.ts'
import { http } from './http.ts'
import type { Item } from './lookups.ts'

/** As many ids as an address surely holds. */
const MOST = 200

interface Batch {
  ids: Set<number>
  items: Promise<Map<unknown, Item>>
}
const waiting = new Map<string, Batch>()

/** One item of a lookup by its id; what is asked for in the same moment, such as by the rows of a list, is one request. */
export async function fetchItem(path: string, params: LookupParams, id: number): Promise<Item | undefined> {
  const key = JSON.stringify([path, params])
  const batch = waiting.get(key) ?? newBatch(key, path, params)
  batch.ids.add(id)
  if (batch.ids.size === MOST) waiting.delete(key)
  return (await batch.items).get(id)
}

function newBatch(key: string, path: string, params: LookupParams): Batch {
  const ids = new Set<number>()
  const items = new Promise((resolve) => setTimeout(resolve, 0)).then(async () => {
    if (waiting.get(key)?.ids === ids) waiting.delete(key)
    const { data } = await http.get<Item[]>(path, { params: { ...params, id: [...ids] } })
    return new Map(data.map((item) => [item.value as unknown, item]))
  })
  const batch = { ids, items }
  waiting.set(key, batch)
  return batch
}

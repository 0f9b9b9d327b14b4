import type { LookupParams } from '../../contract/lookupCall.ts'
import { http } from './http.ts'
import type { Item } from './lookups.ts'

/** Maximum number of ids in a URL. */
const MAX_IDS = 200

interface Batch {
  ids: Set<number>
  items: Promise<Map<unknown, Item>>
}
const waiting = new Map<string, Batch>()

/** One item of a lookup by its id; calls in the same tick, such as by rows of a list, are batched into one request. */
export async function fetchItem(path: string, params: LookupParams, id: number): Promise<Item | undefined> {
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

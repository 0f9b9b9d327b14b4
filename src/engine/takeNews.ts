import type { QueryClient } from '@tanstack/react-query'
import type { Contract } from '../contract/contract.ts'
import type { Values } from '../contract/when.ts'
import { readOf } from './calls.ts'

/** That something which screens are drawn by has another version now. */
export interface News {
  entity: string
  id: number
  version: number
}

/** What the news name as one, whichever of its records changed: all lists of choices, and all that is invalid. */
const [CHOICES, INVALID] = ['lookup', 'invalidRow']

/** Reads anew what pages hold of older versions, and what is told as one where any of it changed. */
export function takeNews(contract: Contract, client: QueryClient, news: News[]): void {
  const held = client.getQueryCache().getAll()
  const areOthers = isNew(client, news, CHOICES)
  const isRevalidated = isNew(client, news, INVALID)
  const older = news.filter((one) =>
    held.some(({ queryKey, state }) => isOlder(contract, queryKey, state.data, one)),
  )
  if (isRevalidated)
    void client.invalidateQueries({
      predicate: ({ queryKey: [kind, name] }) =>
        kind === 'call' && readOf(contract, String(name)).includes(INVALID),
    })
  if (older.length === 0 && !areOthers) return
  void client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      queryKey[0] === 'lookup' || older.some((one) => isOlder(contract, queryKey, state.data, one)),
  })
}

/** Whether something that is told as one has another version than the last time that it was told. */
function isNew(client: QueryClient, news: News[], as: string): boolean {
  const key = ['news', as]
  const version = news.find(({ entity }) => entity === as)?.version
  const before = client.getQueryData(key)
  if (version !== undefined) client.setQueryData(key, version)
  return before !== undefined && version !== undefined && before !== version
}

function isOlder(
  contract: Contract,
  [kind, name, params]: readonly unknown[],
  data: unknown,
  { entity, id, version }: News,
): boolean {
  if (kind !== 'call' || !readOf(contract, String(name)).includes(entity)) return false
  // With more than the id it was not the newest that was asked for.
  const { id: asked, ...more } = (params ?? {}) as Values
  if (String(asked) !== String(id) || Object.keys(more).length > 0) return false
  const held = (data as Values | undefined)?.version
  return typeof held === 'number' && held < version
}

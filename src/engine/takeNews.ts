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

/** How the news name all lists of choices together. */
const CHOICES = 'lookup'

/** Reads anew what pages hold of older versions, and the lists of choices where anything changed. */
export function takeNews(contract: Contract, client: QueryClient, news: News[]): void {
  const held = client.getQueryCache().getAll()
  const areOthers = areNewChoices(client, news)
  const older = news.filter((one) =>
    held.some(({ queryKey, state }) => isOlder(contract, queryKey, state.data, one)),
  )
  if (older.length === 0 && !areOthers) return
  void client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      queryKey[0] === 'lookup' || older.some((one) => isOlder(contract, queryKey, state.data, one)),
  })
}

/** Whether the choices have another version than the last time that it was told. */
function areNewChoices(client: QueryClient, news: News[]): boolean {
  const key = ['news', CHOICES]
  const version = news.find(({ entity }) => entity === CHOICES)?.version
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

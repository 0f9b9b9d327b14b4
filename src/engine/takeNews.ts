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

/** Reads anew what pages hold of older versions; every list of choices with it, for it may hold them. */
export function takeNews(contract: Contract, client: QueryClient, news: News[]): void {
  const older = news.filter((one) =>
    client
      .getQueryCache()
      .findAll()
      .some(({ queryKey, state }) => isOlder(contract, queryKey, state.data, one)),
  )
  if (older.length === 0) return
  void client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      queryKey[0] === 'lookup' || older.some((one) => isOlder(contract, queryKey, state.data, one)),
  })
}

function isOlder(
  contract: Contract,
  [kind, name, params]: readonly unknown[],
  data: unknown,
  { entity, id, version }: News,
): boolean {
  if (kind !== 'call' || !readOf(contract, String(name)).includes(entity)) return false
  if (String((params as Values)?.id) !== String(id)) return false
  const held = (data as Values | undefined)?.version
  return typeof held === 'number' && held < version
}

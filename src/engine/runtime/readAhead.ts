import type { QueryClient } from '@tanstack/react-query'
import type { Contract } from '../../contract/contract.ts'
import type { FormScreen, Screen } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { makeCall, readKey } from './calls.ts'
import { knownValues } from './useKnownValues.ts'
import { FRESH, paramsOf } from './useWith.ts'

/**
 * Begins to read a screen's record, and beside it what the lists so far lead to, before the screen is rendered: the
 * server works while the page does. Opening a record is recorded, so only for a page that is being opened.
 */
export function readAhead(
  contract: Contract,
  client: QueryClient,
  screen: Screen,
  { params, user, query }: { params: Values; user: Values; query: Values },
): void {
  if (screen.kind !== 'detail' && screen.kind !== 'form') return
  const { read, with: withs = {}, fixedParams }: Omit<Partial<FormScreen>, 'kind'> = screen
  if (!read) return
  const own = { ...fixedParams, ...params }
  void client.prefetchQuery(queryOf(contract, client, read, own))
  const record =
    client.getQueryData<Values>(readKey(read, { params: own })) ??
    knownValues(contract, client.getQueryCache(), read, own.id)
  const roots = { record, user, query: { ...query, ...own }, with: {} }
  for (const { read: call, ...described } of Object.values(withs)) {
    const found = call && paramsOf(described, roots)
    if (found && Object.values(found).every(isSet))
      void client.prefetchQuery({ ...queryOf(contract, client, call, found), staleTime: FRESH })
  }
}

function queryOf(contract: Contract, client: QueryClient, call: string, params: Values) {
  return {
    queryKey: readKey(call, { params }),
    queryFn: () => makeCall(contract, call, { params }, client),
  }
}

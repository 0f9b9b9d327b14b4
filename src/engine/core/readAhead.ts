import type { QueryClient } from '@tanstack/react-query'
import type { Contract } from '../../contract/contract.ts'
import type { FormScreen, Screen } from '../../contract/generated.ts'
import { isSet, type Values } from '../../contract/when.ts'
import { makeCall, readKey } from './calls.ts'
import { knownValues } from './useKnownValues.ts'
import { FRESH_MS, paramsOf } from './useWith.ts'

/**
 * Prefetches a screen's record, and the reads of its `with` whose parameters are known from lists, while the page is
 * rendered. Reads are audited, so only for a page that is being opened, and not for queries that the previous page
 * uses, such as the case of another tab.
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
  const prefetch = (call: string, callParams: Values, staleTime?: number) => {
    const queryKey = readKey(call, { params: callParams })
    if (client.getQueryCache().find({ queryKey })?.isActive()) return
    const queryFn = () => makeCall(contract, call, { params: callParams, showsLoss: true }, client)
    void client.prefetchQuery({ queryKey, queryFn, staleTime })
  }
  prefetch(read, own)
  const record =
    client.getQueryData<Values>(readKey(read, { params: own })) ??
    knownValues(contract, client.getQueryCache(), read, own.id)
  const roots = { record, user, query: { ...query, ...own }, with: {} }
  for (const { read: call, ...described } of Object.values(withs)) {
    const found = call && paramsOf(described, roots)
    if (found && Object.values(found).every(isSet)) prefetch(call, found, FRESH_MS)
  }
}

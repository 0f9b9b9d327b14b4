import { type Query, useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { With } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { makeCall, readKey } from './calls.ts'
import { useContract } from './contract.ts'
import { isJustEmbedded } from './embedded.ts'

/** What a screen reads besides its record, by name; `isReady` once all that can be read is there, and fresh. */
export interface WithValues {
  values: Values
  isReady: boolean
  error: unknown
}

/**
 * Reads what a screen names under `with`. `roots` is what its paths begin with (record, form, query, user); a path may
 * also lead through what was named before it ('with.file.case_type').
 */
export function useWith(declared: With | undefined, roots: ConditionContext): WithValues {
  const contract = useContract()
  const client = useQueryClient()
  const values: Values = {}
  const queries = Object.entries(declared ?? {}).flatMap(([name, { read, id, params: others, is }]) => {
    const seen = { ...roots, with: values }
    if (is) values[name] = valueAt(is, seen)
    if (!read) return []
    const paths = Object.entries({ ...(id !== undefined && { id }), ...others })
    const params = Object.fromEntries(paths.map(([part, path]) => [part, valueAt(path, seen)]))
    const queryKey = readKey(read, { params })
    const enabled = Object.values(params).every(isSet)
    values[name] = enabled ? client.getQueryData(queryKey) : undefined
    const queryFn = () => makeCall<Values>(contract, read, { params }, client)
    const refetchOnMount = ({ state }: Query<Values>) =>
      isJustEmbedded(state.data, state.dataUpdatedAt) ? false : ('always' as const)
    return [{ name, queryKey, queryFn, enabled, refetchOnMount }]
  })
  const found = useQueries({ queries: queries.map(({ name: _, ...query }) => query) })
  // What came inside of another record was ready before it was read by its own call.
  const ready = useRef(new Set<string>())
  const isReady = ({ isFetchedAfterMount, fetchStatus, data }: (typeof found)[number], key: string) =>
    isFetchedAfterMount || fetchStatus !== 'fetching' || (data !== undefined && ready.current.has(key))
  const keys = queries.map(({ queryKey }) => JSON.stringify(queryKey))
  const areReady = found.map((one, i) => isReady(one, keys[i]))
  for (const [i, key] of keys.entries())
    if (areReady[i] && found[i].data !== undefined) ready.current.add(key)
  // Asked for here, a change of it is drawn.
  for (const [i, { name }] of queries.entries()) values[name] = found[i].data
  return {
    values: useSame(values),
    isReady: areReady.every(Boolean),
    error: found.find((one) => one.isError && one.data === undefined)?.error,
  }
}

/** The object of the last time while it holds the same values. */
function useSame(values: Values): Values {
  const last = useRef(values)
  const keys = Object.keys(values)
  const isSame =
    keys.length === Object.keys(last.current).length && keys.every((k) => last.current[k] === values[k])
  if (!isSame) last.current = values
  return last.current
}

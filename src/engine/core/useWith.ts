import { type Query, useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { With } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { makeCall, readKey } from './calls.ts'
import { useContract } from './contract.ts'

/** Data that a screen reads besides its record, by name; `isReady` once all that can be read is loaded and fresh. */
export interface WithValues {
  values: Values
  isReady: boolean
  error: unknown
  /** Refetches a failed read. */
  retry: () => void
}

/** Time in ms for which prefetched or embedded data is fresh and not refetched. */
export const FRESH_MS = 5000

/**
 * Reads the data that a screen names under `with`. `roots` are the values at which its paths begin (record, form,
 * query, user); a path may also begin at an earlier entry ('with.case.case_type').
 */
export function useWith(declared: Record<string, With> | undefined, roots: ConditionContext): WithValues {
  const contract = useContract()
  const client = useQueryClient()
  const values: Values = {}
  const queries = Object.entries(declared ?? {}).flatMap(([name, { read, id, params: others, is }]) => {
    const context = { ...roots, with: values }
    if (is) values[name] = valueAt(is, context)
    if (!read) return []
    const params = paramsOf({ id, params: others }, context)
    const queryKey = readKey(read, { params })
    const enabled = Object.values(params).every(isSet)
    values[name] = enabled ? client.getQueryData(queryKey) : undefined
    const queryFn = () => makeCall<Values>(contract, read, { params, showsLoss: true }, client)
    const refetchOnMount = (query: Query<Values>) =>
      query.isStaleByTime(FRESH_MS) ? ('always' as const) : false
    return [{ name, queryKey, queryFn, enabled, refetchOnMount }]
  })
  const found = useQueries({ queries: queries.map(({ name: _, ...query }) => query) })
  // Queries whose data was cached and fresh at mount are ready.
  const ready = useRef(new Set<string>())
  const isReady = ({ isFetchedAfterMount, fetchStatus, data }: (typeof found)[number], key: string) =>
    fetchStatus !== 'fetching' || (data !== undefined && (isFetchedAfterMount || ready.current.has(key)))
  const keys = queries.map(({ queryKey }) => JSON.stringify(queryKey))
  const areReady = found.map((one, i) => isReady(one, keys[i]))
  for (const [i, key] of keys.entries())
    if (areReady[i] && found[i].data !== undefined) ready.current.add(key)
  // Use the observed data, so that a change renders again.
  for (const [i, { name }] of queries.entries()) values[name] = found[i].data
  const failed = found.find((one) => one.isError && one.data === undefined)
  return {
    values: useSame(values),
    isReady: areReady.every(Boolean),
    error: failed?.error,
    retry: () => void failed?.refetch(),
  }
}

/** The path parameters of a call that a screen names under `with`, with the values at its paths. */
export function paramsOf({ id, params }: Pick<With, 'id' | 'params'>, roots: ConditionContext): Values {
  const paths = Object.entries({ ...(id !== undefined && { id }), ...params })
  return Object.fromEntries(paths.map(([part, path]) => [part, valueAt(path, roots)]))
}

/** The previous object while its values are the same. */
function useSame(values: Values): Values {
  const last = useRef(values)
  const keys = Object.keys(values)
  const isSame =
    keys.length === Object.keys(last.current).length && keys.every((k) => last.current[k] === values[k])
  if (!isSame) last.current = values
  return last.current
}

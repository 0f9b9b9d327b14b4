import { type Query, useQueries, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { With } from '../../contract/generated.ts'
import { type ConditionContext, isSet, type Values, valueAt } from '../../contract/when.ts'
import { makeCall, readKey } from './calls.ts'
import { useContract } from './contract.ts'

/** What a screen reads besides its record, by name; `isReady` once all that can be read is there, and fresh. */
export interface WithValues {
  values: Values
  isReady: boolean
  error: unknown
}

/** For so long what was read, ahead of the page or inside of its record, is not read again. */
export const FRESH_MS = 5000

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
    const params = paramsOf({ id, params: others }, seen)
    const queryKey = readKey(read, { params })
    const enabled = Object.values(params).every(isSet)
    values[name] = enabled ? client.getQueryData(queryKey) : undefined
    const queryFn = () => makeCall<Values>(contract, read, { params }, client)
    const refetchOnMount = (query: Query<Values>) =>
      query.isStaleByTime(FRESH_MS) ? ('always' as const) : false
    return [{ name, queryKey, queryFn, enabled, refetchOnMount }]
  })
  const found = useQueries({ queries: queries.map(({ name: _, ...query }) => query) })
  // What was there before the page asked for it was ready then.
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

/** The parts of the path of a call that a screen names under `with`, by the values that its paths lead to. */
export function paramsOf(
  { id, params }: Pick<With[string], 'id' | 'params'>,
  roots: ConditionContext,
): Values {
  const paths = Object.entries({ ...(id !== undefined && { id }), ...params })
  return Object.fromEntries(paths.map(([part, path]) => [part, valueAt(path, roots)]))
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

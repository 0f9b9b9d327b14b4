import { useQueries } from '@tanstack/react-query'
import { useRef } from 'react'
import type { With } from '../../contract/types.ts'
import { isSet, type Scope, type Values, valueAt } from '../../contract/when.ts'
import { makeCall } from '../calls.ts'
import { useContract } from '../contract.ts'

/** What a screen reads besides its record, by name; `isReady` once all that can be read is there, and fresh. */
export interface WithValues {
  values: Values
  isReady: boolean
  error: unknown
}

/** Reads what a screen names under `with`. `roots` is what its paths begin with (record, form, query, user). */
export function useWith(given: With | undefined, roots: Scope): WithValues {
  const contract = useContract()
  const named = Object.entries(given ?? {})
  const reads = named.flatMap(([name, { read, id }]) => (read ? [{ name, read, id }] : []))
  const found = useQueries({
    queries: reads.map(({ read, id }) => {
      const value = id === undefined ? undefined : valueAt(id, roots)
      const params = id === undefined ? {} : { id: value }
      return {
        queryKey: ['call', read, params, {}],
        queryFn: () => makeCall<Values>(contract, read, { params }),
        enabled: id === undefined || isSet(value),
        refetchOnMount: 'always' as const,
      }
    }),
  })
  const values: Values = {}
  for (const [i, { name }] of reads.entries()) values[name] = found[i].data
  for (const [name, { is }] of named) if (is) values[name] = valueAt(is, roots)
  return {
    values: useSame(values),
    isReady: found.every((one) => one.isFetchedAfterMount || one.fetchStatus !== 'fetching'),
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

import { useQuery } from '@tanstack/react-query'
import { type Scope, valueAt, walk } from '../contract/when.ts'
import { useContract } from './contract.ts'
import { http } from './http.ts'

/** One choice of a lookup; `active: false` is retired; other keys (parent, group, service …) as the lookup has them. */
export interface Item {
  value: number | string
  label: string
  active?: boolean
  [key: string]: unknown
}
export type LookupParams = Record<string, string | number | boolean>

const MINUTES = 60_000

/** The choices of a lookup, narrowed by its parameters; undefined while they load, idle without a name. */
export function useLookup(name: string | undefined, params: LookupParams = {}): Item[] | undefined {
  const contract = useContract()
  const { data } = useQuery({
    queryKey: ['lookup', name, params],
    queryFn: async () => (await http.get<Item[]>(contract.lookups[name!].path, { params })).data,
    enabled: name !== undefined,
    staleTime: 5 * MINUTES,
  })
  return data
}

/**
 * Parameters of a lookup with `$` paths filled from a scope: `$field` is an answer of the same form, `$case.x` a value
 * of what the screen calls case; a path without a value is left out.
 */
export function fillParams(params: LookupParams | undefined, scope: Scope): LookupParams {
  const filled = Object.entries(params ?? {}).map(([key, value]) => [key, fillOne(value, scope)] as const)
  return Object.fromEntries(
    filled.filter(([, value]) => value !== undefined && value !== null),
  ) as LookupParams
}

function fillOne(value: string | number | boolean, scope: Scope): unknown {
  if (typeof value !== 'string' || !value.startsWith('$')) return value
  const path = value.slice(1)
  const [head, ...rest] = path.split('.')
  return rest.length > 0 && scope.with && head in scope.with
    ? walk(scope.with[head], rest)
    : valueAt(path, scope)
}

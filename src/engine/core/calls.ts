import {
  type Query,
  type QueryClient,
  type UseQueryResult,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { AxiosError } from 'axios'
import { bodyParametersOf, callOf, fillPath, verbOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { useContract } from './contract.ts'
import { takeEmbedded } from './embedded.ts'
import { http } from './http.ts'
import { useWaitingSave } from './waitingSaves.ts'

/**
 * Path parameters, query parameters and body of a call; `key` is the idempotency key of a POST, `draft` the id of the
 * draft that the body came from, which the call removes.
 */
export interface CallOptions {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
  key?: string
  draft?: number
  signal?: AbortSignal
  showsLoss?: true
  showsFields?: true
  passesHolds?: true
}
export type CallError = AxiosError<{ message?: string; code?: string; fields?: unknown; current?: unknown }>

/**
 * Makes a call of the contract by its name and returns the body of the reply; rejects with an AxiosError. With a query
 * client, embedded records of the reply are cached and replaced by their ids.
 */
export async function makeCall<T>(
  contract: Contract,
  name: string,
  callOptions: CallOptions = {},
  client?: QueryClient,
): Promise<T> {
  const take = (record: unknown) => (client ? takeEmbedded(contract, client, name, record) : record)
  try {
    const { signal, showsLoss, showsFields, passesHolds } = callOptions
    const { data } = await http.request<T>({
      ...requestOf(contract, name, callOptions),
      ...(signal && { signal }),
      ...(showsLoss && { showsLoss }),
      ...(showsFields && { showsFields }),
      ...(passesHolds && { passesHolds }),
      headers: {
        ...(callOptions.key && { 'Idempotency-Key': callOptions.key }),
        ...(callOptions.draft !== undefined && { 'X-Draft': callOptions.draft }),
      },
    })
    return take(data) as T
  } catch (error) {
    // The current record of a conflict.
    const refusal = (error as CallError).response?.data
    if (refusal?.current) refusal.current = take(refusal.current)
    throw error
  }
}

/** The axios config of a call; the filters of a search are in its body. */
export function requestOf(contract: Contract, name: string, { params, query, body }: CallOptions) {
  const endpoint = contract.endpoints[name]
  const { method, path } = callOf(endpoint)
  // Requests in the background do not extend the session.
  const { background } = endpoint
  const request = { method, url: fillPath(path, params ?? {}), ...(background && { background }) }
  if (!endpoint.filters) return { ...request, params: query, data: body }
  const names = Object.keys(bodyParametersOf(contract, endpoint))
  const part = (isInBody: boolean) =>
    Object.fromEntries(Object.entries(query ?? {}).filter(([key]) => names.includes(key) === isInBody))
  return { ...request, params: part(false), data: part(true) }
}

export function readKey(name: string | undefined, { params = {}, query = {} }: CallOptions): unknown[] {
  return ['call', name, params, query]
}

/** Queries a call of the contract, cached by name, path parts and query; disabled without a name. */
export function useRead<T>(
  name: string | undefined,
  callOptions: CallOptions = {},
  options: { keepPrevious?: boolean; refetchInterval?: number; alwaysRefetch?: boolean } = {},
): UseQueryResult<T, CallError> {
  const contract = useContract()
  return useQuery<T, CallError>({
    queryKey: readKey(name, callOptions),
    queryFn: ({ client }) => makeCall<T>(contract, name!, { ...callOptions, showsLoss: true }, client),
    enabled: name !== undefined,
    refetchInterval: options.refetchInterval,
    ...(options.alwaysRefetch && { staleTime: 0 }),
    ...(options.keepPrevious && { placeholderData: (before) => before }),
  })
}

/**
 * A mutation by a call of the contract, which invalidates all queries of the entities that it touches. It settles once
 * they are refetched; `onReply` is called before. Without a connection it fails.
 */
export function useSend<T>(name: string, onReply?: (reply: T) => void) {
  const contract = useContract()
  const client = useQueryClient()
  return useMutation<T, CallError, CallOptions>({
    mutationFn: async (callOptions) => {
      const reply = await makeCall<T>(contract, name, callOptions, client)
      onReply?.(reply)
      return reply
    },
    onSuccess: () => refresh(contract, client, name),
  })
}

/** The same, but without a connection it waits: `waiting` is shown beside its button. */
export function useWaitingSend<T>(name: string, onReply?: (reply: T) => void) {
  const contract = useContract()
  const client = useQueryClient()
  const { waiting, send } = useWaitingSave()
  const mutation = useMutation<T, CallError, CallOptions>({
    mutationFn: async (callOptions) => {
      const reply = await send((signal) =>
        makeCall<T>(contract, name, { ...callOptions, signal, showsLoss: true }, client),
      )
      onReply?.(reply)
      return reply
    },
    onSuccess: () => refresh(contract, client, name),
  })
  return { ...mutation, waiting }
}

/**
 * Invalidates the queries of the entities that a call touches, and lookups if it changes choices. Queries with the path
 * parameters `leaving` are not refetched: their page is left, and their record may be gone.
 */
export async function refresh(
  contract: Contract,
  client: QueryClient,
  name: string,
  { leaving }: { leaving?: Values } = {},
): Promise<void> {
  const touched = touches(contract, name)
  const { choices } = contract.endpoints[name]
  const isStale = ({ queryKey: [kind, read] }: Query) =>
    kind === 'call'
      ? readOf(contract, read as string).some((e) => touched.includes(e))
      : kind === 'lookup' && choices === true
  const isLeft = ({ queryKey: [, , params] }: Query) =>
    leaving !== undefined && Object.entries(leaving).every(([part, value]) => isParam(params, part, value))
  await Promise.all([
    client.invalidateQueries({ predicate: (query) => isStale(query) && !isLeft(query) }),
    client.invalidateQueries({
      predicate: (query) => isStale(query) && isLeft(query),
      refetchType: 'none',
    }),
  ])
}

function isParam(params: unknown, part: string, value: unknown): boolean {
  return isPlainObject(params) && String(params[part]) === String(value)
}

function touches(contract: Contract, name: string): string[] {
  const endpoint = contract.endpoints[name]
  return endpoint.touches ?? [verbOf(endpoint)?.entity ?? '']
}

/** Entities whose change makes the result of a call stale. */
export function readOf(contract: Contract, name: string): string[] {
  const endpoint = contract.endpoints[name]
  const entity = endpoint && (endpoint.reply ?? verbOf(endpoint)?.entity)
  return entity ? (contract.entities[entity]?.of ?? [entity]) : []
}

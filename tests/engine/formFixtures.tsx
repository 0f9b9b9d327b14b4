import { Icons } from '@blueprintjs/icons'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type AxiosAdapter, AxiosError, type AxiosRequestConfig, type AxiosResponse } from 'axios'
import type { ReactNode } from 'react'
import type { Contract } from '../../src/contract/contract.ts'
import type { Group } from '../../src/contract/generated.ts'
import { loadContract } from '../../src/contract/load.ts'
import { ContractContext } from '../../src/engine/runtime/contract.ts'
import { http } from '../../src/engine/runtime/http.ts'
import { type User, UserContext } from '../../src/engine/runtime/user.ts'
import './patience.ts'
import caseTypes from '../../src/server/demo/case-types.json' with { type: 'json' }
import lookups from '../../src/server/demo/lookups.json' with { type: 'json' }

// Loaded beforehand, an icon is drawn at once and needs no second turn.
await Icons.load(['plus', 'trash', 'search', 'download'], 16)

export interface CaseType {
  value: number
  label: string
  service: number
  case_meta: Group[]
  issue_meta: Group[]
}
export const CASE_TYPES = caseTypes as unknown as CaseType[]
export const contract: Contract = loadContract(process.cwd()).contract

export const USER: User = {
  id: 5,
  username: 'ann',
  first_name: 'Ann',
  last_name: 'Ames',
  groups: [4],
  status: 1,
}

export interface Sent {
  method: string
  path: string
  params: Record<string, unknown>
  body: Record<string, unknown> & Record<string, never>
  headers: Record<string, unknown>
}
/** Answers a call with a body, or with [status, body, headers]; undefined leaves it to the next. */
type Answer = (sent: Sent) => unknown

/** A server in memory: calls that `answer` knows, and every lookup. Answers what was sent so far, in order. */
export function serve(answer: Answer): Sent[] {
  const sent: Sent[] = []
  const adapter: AxiosAdapter = async (config) => {
    const one: Sent = {
      method: (config.method ?? 'get').toUpperCase(),
      path: config.url ?? '',
      params: config.params ?? {},
      body: typeof config.data === 'string' ? JSON.parse(config.data) : config.data,
      headers: { ...config.headers },
    }
    sent.push(one)
    const given = (await answer(one)) ?? lookup(one)
    const [status, data, headers = {}] =
      Array.isArray(given) && typeof given[0] === 'number' ? given : [200, given]
    const response = { status, data, statusText: '', headers, config } as AxiosResponse
    if (status < 400) return response
    throw new AxiosError(`${status}`, undefined, config as AxiosRequestConfig as never, {}, response)
  }
  http.defaults.adapter = adapter
  return sent
}

function lookup({ path, params }: Sent): unknown {
  const name = Object.keys(contract.lookups).find((n) => contract.lookups[n].path === path)
  if (!name) return [404, { message: 'not here' }]
  const all = ((lookups as Record<string, unknown>)[name] ??
    (name === 'case_type' ? CASE_TYPES : [])) as Record<string, unknown>[]
  const ids = params.id as unknown[] | undefined
  const by = Object.entries(params).filter(([key]) => !['active', 'role', 'id'].includes(key))
  return all.filter(
    (item) =>
      (ids?.includes(item.value) ?? true) &&
      (ids || params.active === false || item.active !== false) &&
      by.every(([key, value]) => !(key in item) || String(item[key]) === String(value)),
  )
}

/** What every part of the engine stands in: contract, user, a fresh cache. */
export function Providers({ children, user = USER }: { children: ReactNode; user?: User }) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 0 } } })
  return (
    <ContractContext value={contract}>
      <QueryClientProvider client={client}>
        <UserContext value={user}>{children}</UserContext>
      </QueryClientProvider>
    </ContractContext>
  )
}

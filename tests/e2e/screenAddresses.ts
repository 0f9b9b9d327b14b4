import { fillPath } from '../../src/contract/call.ts'
import type { Screen } from '../../src/contract/generated.ts'
import type { Caller } from '../server/context.ts'

export type Parts = Record<string, number | undefined>

/** The address of a screen for a person who may see these parts; undefined where there is nothing for it. */
export function addressOf({ route }: Pick<Screen, 'route'>, parts: Parts): string | undefined {
  const values = route.includes('/issues/{id}')
    ? { id: parts.issue, case: parts['/cases'] }
    : { id: idFor(route, parts), type: route.includes('/axes/') ? 'accesslog' : 'contracts' }
  return route.includes('{id}') && values.id === undefined ? undefined : fillPath(route, values)
}

/** Ids of what this person may see, by where the addresses of its screens begin; `issue` is one of the case. */
export async function partsFor(caller: Caller): Promise<Parts> {
  const { body } = await caller('cases.list')
  const row = Object.values(body.data as Record<string, { id: number; client: number }>).at(-1)
  if (!row) return {}
  const issues = await caller('cases.issues', { params: { id: row.id } })
  const actions = await caller('actions.ofClient', { params: { id: row.client } })
  const firstOf = async (list: string) => (await caller(list)).body.data?.[0]?.id as number | undefined
  // Not everybody of the demo has written one down.
  const activity = await caller('activities.create', {
    body: { type: 1, commissioning_contract: 1, done_on: '2026-02-02' },
  })
  return {
    '/cases': row.id,
    '/clients': row.client,
    issue: issues.body.data[0]?.id,
    '/action': actions.body.data[0]?.id,
    '/activity': activity.body.id,
    '/dashboard/module-constructor': 1,
    '/dashboard/admin-site': 1,
    '/dashboard/referral-forms': 1,
    '/dashboard/axes': 1,
    '/dashboard/case-uploads': await firstOf('bulk.uploads'),
    '/dashboard/referral-requests': await firstOf('referrals.list'),
    '/dashboard/referral-messages': await firstOf('referrals.messages'),
    '/dashboard': caller.id,
    '/advocate': caller.id,
  }
}

/** That of the longest beginning of the address that is known. */
function idFor(route: string, parts: Record<string, number | undefined>): number | undefined {
  const [first] = Object.keys(parts)
    .filter((part) => route.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)
  return parts[first]
}

import type { Page } from 'playwright-core'
import { allows } from '../../src/contract/access.ts'
import { fillPath } from '../../src/contract/call.ts'
import type { Screen } from '../../src/contract/generated.ts'
import { REFERRAL_STATUS } from '../../src/contract/status.ts'
import { contract } from '../loadedContract.ts'
import { type Caller, signIn as signInByHttp } from '../server/context.ts'
import { createCase } from '../server/newCase.ts'
import { type E2eContext, PASSWORD, waitForIdle } from './context.ts'

export const roles = contract.roles.roles

/** Screens of signed-in users, by name. */
export const screens = Object.entries(contract.screens).filter(([, s]) => !('signedOut' in s && s.signedOut))

/** True if a role may open a screen. */
export function mayOpen(role: number, screen: Screen): boolean {
  return allows(contract.roles, 'roles' in screen ? screen.roles : undefined, [role])
}

/** The role that opens a screen in `npm test`; the screens are spread over all roles. */
export function firstRoleFor(name: string) {
  const able = roles.filter(({ id }) => mayOpen(id, contract.screens[name]))
  return able[Object.keys(contract.screens).indexOf(name) % able.length]
}

/** Waits until a page has loaded its data. */
export async function settle(page: Page): Promise<void> {
  await waitForIdle(page)
  // Both at once: the heading may be that of the page before, or of a skeleton.
  await page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('.skeleton'))
}

export type Parts = Record<string, number | undefined>

const partsByPerson = new Map<string, Promise<Parts>>()

/** Ids of records that a demo user may see; cached, because getting them creates a record. */
export function partsOf({ product }: E2eContext, demo: string): Promise<Parts> {
  const key = `${product.address} ${demo}`
  if (!partsByPerson.has(key))
    partsByPerson.set(
      key,
      signInByHttp(contract, product.address, demo, PASSWORD).then((caller) => partsFor(caller, demo)),
    )
  return partsByPerson.get(key)!
}

/** Path of a screen with these ids; undefined if no id fits. */
export function addressOf({ route }: Pick<Screen, 'route'>, parts: Parts): string | undefined {
  if (route === contract.screens['accept-referral'].route && parts.acceptDraft !== undefined)
    return `${route}?draft=${parts.acceptDraft}`
  const values = route.includes('/issues/{id}')
    ? { id: parts.issue, case: parts['/cases'] }
    : route === contract.screens['case-merge'].route
      ? { id: parts.mergedCase, other: parts.otherCase }
      : {
          id: idFor(route, parts),
          other: parts.other,
          type: route.includes('/axes/') ? 'accesslog' : 'contracts',
          form: 'case',
          field: 'is_urgent',
        }
  return route.includes('{id}') && values.id === undefined ? undefined : fillPath(route, values)
}

/** Two new cases of a client that can be merged. */
async function casesOf(caller: Caller, client: number): Promise<number[]> {
  const [one, two] = [await createCase(caller, 1, { client }), await createCase(caller, 1, { client })]
  return [one.id, two.id]
}

/** The draft of a case from a referral that waits; undefined if there is none that the person may accept. */
async function acceptDraft(caller: Caller): Promise<number | undefined> {
  const { body } = await caller('referrals.list', { query: { status: REFERRAL_STATUS.new } })
  for (const { id } of (body.data ?? []) as { id: number }[]) {
    const { status, body } = await caller('referrals.accept', { params: { id } })
    if (status === 200) return body.id
  }
}

/** Ids of records that this user may see, by path prefix of their screens; `issue` is one of the case. */
async function partsFor(caller: Caller, demo: string): Promise<Parts> {
  const { body } = await caller('cases.list')
  const rows = Object.values(body.data as Record<string, { id: number; client: number }>)
  const row = rows.at(-1)
  if (!row) return {}
  const issues = await caller('cases.issues', { params: { id: row.id } })
  const actions = await caller('actions.ofClient', { params: { id: row.client } })
  const firstOf = async (list: string) => (await caller(list)).body.data?.[0]?.id as number | undefined
  // Not every demo user has an activity.
  const activity = await caller('activities.create', {
    body: { type: 1, commissioning_contract: 1, done_on: '2026-02-02' },
  })
  const role = roles.find((one) => one.demo === demo)!
  const twins = mayOpen(role.id, contract.screens['case-merge']) ? await casesOf(caller, row.client) : []
  return {
    '/cases': row.id,
    '/clients': row.client,
    issue: issues.body.data[0]?.id,
    other: rows.find(({ client }) => client !== row.client)?.client,
    mergedCase: twins[0],
    otherCase: twins[1],
    acceptDraft: mayOpen(role.id, contract.screens['accept-referral'])
      ? await acceptDraft(caller)
      : undefined,
    '/action': actions.body.data[0]?.id,
    '/activity': activity.body.id,
    '/dashboard/module-constructor': 1,
    '/dashboard/admin-site': 1,
    '/dashboard/referral-forms': 1,
    '/dashboard/consent-texts': 1,
    '/dashboard/axes': 1,
    '/dashboard/case-uploads': await firstOf('bulk.uploads'),
    '/dashboard/referral-requests': await firstOf('referrals.list'),
    '/dashboard/referral-messages': await firstOf('referrals.messages'),
    '/dashboard': caller.id,
    '/advocate': caller.id,
  }
}

/** Id of the longest known path prefix. */
function idFor(route: string, parts: Record<string, number | undefined>): number | undefined {
  const [first] = Object.keys(parts)
    .filter((part) => route.startsWith(`${part}/`))
    .toSorted((a, b) => b.length - a.length)
  return parts[first]
}

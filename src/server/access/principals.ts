import { ROLE } from '../../contract/roles.ts'
import type { Caller } from '../core/call.ts'

/** Kinds of principals; the function principal() of the database has the same. 6 and 8 are reserved there. */
export const KINDS = { advocate: 1, creator: 2, hub: 3, contract: 4, unallocated: 5, group: 7 } as const
export type Kind = keyof typeof KINDS

/** More than the highest id. */
const KIND_STEP = 10_000_000_000

const CASELOAD_ROLES: number[] = [ROLE.advocate, ROLE.volunteerAdvocate, ROLE.partner]
const TEAM_ROLES: number[] = [ROLE.advocateManager, ROLE.partnerManager]
const HUB_ROLES: number[] = [ROLE.hub, ROLE.hubManager]

/** Who holds the principals of each kind, and of which ids; somebody of several roles holds those of each. */
const HOLDERS: { kind: Kind; roles?: number[]; ids: (me: Caller) => number[] }[] = [
  { kind: 'creator', ids: (me) => [me.id] },
  { kind: 'advocate', roles: CASELOAD_ROLES, ids: (me) => [me.id] },
  { kind: 'advocate', roles: TEAM_ROLES, ids: (me) => me.team },
  { kind: 'unallocated', roles: [...CASELOAD_ROLES, ...TEAM_ROLES], ids: (me) => me.services },
  { kind: 'hub', roles: HUB_ROLES, ids: (me) => (me.hub === null ? [] : [me.hub]) },
  {
    kind: 'contract',
    roles: [ROLE.commissionerAdvocate],
    ids: (me) => (me.readsContracts ? me.contracts : []),
  },
  { kind: 'group', ids: (me) => me.readsGroups ?? [] },
]

/** The number of a principal, as the database stores it. */
export function principal(kind: Kind, id: number): number {
  return KINDS[kind] * KIND_STEP + id
}

/** The principals that a person holds, by kind. Administrators see every row and need none. */
export function heldBy(me: Caller): [Kind, number[]][] {
  const held = new Map<Kind, Set<number>>()
  for (const { kind, roles, ids } of HOLDERS) {
    if (roles && !me.groups.some((role) => roles.includes(role))) continue
    held.set(kind, new Set([...(held.get(kind) ?? []), ...ids(me)]))
  }
  return [...held]
    .map(([kind, ids]): [Kind, number[]] => [kind, [...ids]])
    .filter(([, ids]) => ids.length > 0)
}

/** The numbers of the principals that a person holds. */
export function principalsOf(me: Caller): number[] {
  return heldBy(me).flatMap(([kind, ids]) => ids.map((id) => principal(kind, id)))
}

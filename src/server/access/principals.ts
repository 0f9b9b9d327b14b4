import { ROLE } from '../../contract/roles.ts'
import type { Viewer } from '../../contract/types/entities.ts'
import type { Caller } from '../core/call.ts'
import type { Settings } from '../core/settings.ts'

/** Kinds of principals; the function principal() of the database has the same. 6 is reserved there. */
export const KINDS = {
  advocate: 1,
  creator: 2,
  hub: 3,
  contract: 4,
  unallocated: 5,
  group: 7,
  referred: 8,
} as const
export type Kind = keyof typeof KINDS

/** More than the highest id. */
const KIND_STEP = 10_000_000_000

const CASELOAD_ROLES: number[] = [ROLE.advocate, ROLE.volunteerAdvocate, ROLE.partner]
const TEAM_ROLES: number[] = [ROLE.advocateManager, ROLE.partnerManager]
const HUB_ROLES: number[] = [ROLE.hub, ROLE.hubManager]

interface Holding {
  kind: Kind
  /** Omitted: everybody. */
  roles?: number[]
  /** The ids whose principals of the kind a person holds. */
  ids: (me: Caller) => number[]
  /** Heading of the list of people who see a record for this reason. */
  reason: Viewer['reason']
  /** Lookup with the labels of the ids, if the words name them. */
  lookup?: string
  /** The reason in words, with the label of the id, and with the records that have the principal: 'issue 491'. */
  words: (label: string, records: string) => string
}

/**
 * For each kind of principal: who holds it, for which ids, and why in words. The reasons closest to the work come
 * first. Somebody with several roles holds the principals of each.
 */
const HOLDERS: Holding[] = [
  {
    kind: 'advocate',
    roles: [...CASELOAD_ROLES, ...TEAM_ROLES],
    ids: (me) => [me.id],
    reason: 'advocate',
    words: (_, records) => `Advocate of ${records}`,
  },
  {
    kind: 'advocate',
    roles: TEAM_ROLES,
    ids: (me) => me.team.filter((id) => id !== me.id),
    reason: 'manager',
    lookup: 'staff',
    words: (label, records) => `Manages the team of ${label}, advocate of ${records}`,
  },
  {
    kind: 'unallocated',
    roles: [...CASELOAD_ROLES, ...TEAM_ROLES],
    ids: (me) => me.services,
    reason: 'unallocated',
    lookup: 'services',
    words: (label, records) => `Sees unallocated work of ${label}: ${records}`,
  },
  {
    kind: 'hub',
    roles: HUB_ROLES,
    ids: (me) => (me.hub === null ? [] : [me.hub]),
    reason: 'hub',
    lookup: 'hub',
    words: (label, records) => `Works in ${label}, the hub of ${records}`,
  },
  {
    kind: 'group',
    ids: (me) => me.readsGroups ?? [],
    reason: 'group',
    lookup: 'staff_groups',
    words: (label, records) => `Member of ${label}, notified about ${records}`,
  },
  {
    kind: 'referred',
    roles: HUB_ROLES,
    ids: (me) => (me.readsReferred && me.hub !== null ? [me.hub] : []),
    reason: 'referred',
    lookup: 'hub',
    words: (label) => `Works in ${label}, which the client was referred to`,
  },
  {
    kind: 'contract',
    roles: [ROLE.commissionerAdvocate],
    ids: (me) => (me.readsContracts ? me.contracts : []),
    reason: 'contract',
    lookup: 'contracts',
    words: (label, records) => `Reads the records of ${label}, the contract of ${records}`,
  },
  { kind: 'creator', ids: (me) => [me.id], reason: 'creator', words: (_, records) => `Made ${records}` },
]

/** Why somebody sees a record, the nearest to the work first. */
export const REASONS = [...new Set(HOLDERS.map((one) => one.reason)), 'administrator' as const]

/** The lookups by which words name the principals of a kind. */
export function lookupsOf(kind: Kind): string[] {
  return HOLDERS.flatMap((one) => (one.kind === kind && one.lookup ? [one.lookup] : []))
}

/** A person without the principals by which they only read. */
export function asWriter(me: Caller): Caller {
  return { ...me, readsContracts: false, readsGroups: [], readsReferred: false }
}

/** A person with the principals by which they only read. */
export function asReader(me: Caller, settings: Settings): Caller {
  return { ...me, readsContracts: settings.COMMISSIONER_READS_RECORDS === 1, readsReferred: true }
}

/** True if a person may read records that they may not change. */
export function readsMore(me: Caller): boolean {
  const readsContracts = me.readsContracts === true && me.groups.includes(ROLE.commissionerAdvocate)
  return readsContracts || principalsOf(me).length > principalsOf(asWriter(me)).length
}

/** The number of a principal, as the database stores it. */
export function principal(kind: Kind, id: number): number {
  return KINDS[kind] * KIND_STEP + id
}

/** The lines of the table that apply to a person, with the ids that they hold; several can be of one kind. */
export function holdingsOf(me: Caller): (Holding & { held: number[] })[] {
  return HOLDERS.filter(({ roles }) => !roles || me.groups.some((role) => roles.includes(role))).map(
    (holding) => ({ ...holding, held: holding.ids(me) }),
  )
}

/** The kind and the id of a principal; the kind is undefined if this version does not know it. */
export function readPrincipal(number: number): { kind: Kind | undefined; id: number } {
  const kinds = Object.keys(KINDS) as Kind[]
  const kind = kinds.find((name) => KINDS[name] === Math.floor(number / KIND_STEP))
  return { kind, id: number % KIND_STEP }
}

/** The principals that a person holds, by kind. Administrators see every row and need none. */
export function heldBy(me: Caller): [Kind, number[]][] {
  const all = new Map<Kind, Set<number>>()
  for (const { kind, held } of holdingsOf(me)) all.set(kind, new Set([...(all.get(kind) ?? []), ...held]))
  return [...all].map(([kind, ids]): [Kind, number[]] => [kind, [...ids]]).filter(([, ids]) => ids.length > 0)
}

export function holds(me: Caller, kind: Kind, id: number): boolean {
  return heldBy(me).some(([held, ids]) => held === kind && ids.includes(id))
}

/** The numbers of the principals that a person holds. */
export function principalsOf(me: Caller): number[] {
  return heldBy(me).flatMap(([kind, ids]) => ids.map((id) => principal(kind, id)))
}

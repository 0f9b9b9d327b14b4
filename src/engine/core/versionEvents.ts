import type { QueryClient } from '@tanstack/react-query'
import type { Contract } from '../../contract/contract.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { readOf } from './calls.ts'

/** An event: an entity that screens depend on has a new version. */
export interface VersionEvent {
  entity: string
  id: number
  version: number
}

/** The entity of the event that any lookup changed: one version for all of them. */
const CHOICES = 'lookup'
/** The entity of lookup items. Replies of calls other than lookups may be made of them too. */
const ITEM = 'lookupItem'
/** Entities whose events have one version for all records: validation results, notices of the user, comments. */
const LISTED = ['invalidRow', 'workNotice', 'fieldComment']

/**
 * Invalidates cached queries that are older than an event, and with them all lookups. A new version of the lookups also
 * invalidates the replies made of their items, one of a LISTED entity the replies made of it.
 */
export function applyVersionEvents(contract: Contract, client: QueryClient, events: VersionEvent[]): void {
  const cached = client.getQueryCache().getAll()
  const areLookupsNew = hasNewVersion(client, events, CHOICES)
  const changedLists = LISTED.filter((entity) => hasNewVersion(client, events, entity))
  const newer = events.filter((event) =>
    cached.some(({ queryKey, state }) => isOlder(contract, queryKey, state.data, event)),
  )
  if (changedLists.length > 0)
    void client.invalidateQueries({
      predicate: ({ queryKey: [kind, name] }) =>
        kind === 'call' && readOf(contract, String(name)).some((entity) => changedLists.includes(entity)),
    })
  if (newer.length === 0 && !areLookupsNew) return
  void client.invalidateQueries({
    predicate: ({ queryKey, state }) =>
      queryKey[0] === 'lookup' ||
      (areLookupsNew && isOfItems(contract, queryKey)) ||
      newer.some(
        (event) => isOlder(contract, queryKey, state.data, event) || isAnsweredBy(state.data, event),
      ),
  })
}

/**
 * True for a record with answers to the form that has the new version, such as a case of a case type: publishing may
 * have migrated the answers.
 */
function isAnsweredBy(data: unknown, { entity, id }: VersionEvent): boolean {
  if (!isPlainObject(data) || !isPlainObject(data.answers)) return false
  const form = data[entity.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]
  return form === id || (isPlainObject(form) && form.id === id)
}

function isOfItems(contract: Contract, [kind, name]: readonly unknown[]): boolean {
  return kind === 'call' && readOf(contract, String(name)).includes(ITEM)
}

/** True if the version changed since the last event for this entity. */
function hasNewVersion(client: QueryClient, events: VersionEvent[], as: string): boolean {
  const key = ['versionEvents', as]
  const version = events.find(({ entity }) => entity === as)?.version
  const before = client.getQueryData(key)
  if (version !== undefined) client.setQueryData(key, version)
  return before !== undefined && version !== undefined && before !== version
}

function isOlder(
  contract: Contract,
  [kind, name, params]: readonly unknown[],
  data: unknown,
  { entity, id, version }: VersionEvent,
): boolean {
  if (kind !== 'call' || !readOf(contract, String(name)).includes(entity)) return false
  // A query with more parameters requests an old version on purpose.
  const { id: requestedId, ...more } = (params ?? {}) as Values
  if (String(requestedId) !== String(id) || Object.keys(more).length > 0) return false
  const cached = (data as Values | undefined)?.version
  return typeof cached === 'number' && cached < version
}

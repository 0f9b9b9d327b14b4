import { sql } from 'kysely'
import type { Call } from '../../core/call.ts'
import type { Sql } from '../../core/db.ts'
import { findMatches, type Matches } from './matches.ts'
import type { NameQuery } from './query.ts'
import { createdIds, prefetchLimit, unionOf, visibleIds } from './visibleIds.ts'

/** Maximum number of visible clients whose names are searched one by one, instead of those of all clients. */
const MAX_SEARCHED_CLIENTS = 20_000

/**
 * Clients that match a name, at least all that the caller may see or created actions for; undefined if both these and
 * the matches are too many.
 */
export async function matchingClients(
  call: Call,
  { ids, isCommon }: NameQuery,
): Promise<Matches | undefined> {
  const few = isCommon ? undefined : await findMatches(call, ids, prefetchLimit(call.me))
  if (few) return few
  const known = await visibleClients(call, [createdIds(call.me, 'actions', 'client')])
  return known && findMatches(call, sql`${ids} and ${isKnownClient(known)}`, MAX_SEARCHED_CLIENTS)
}

/**
 * The condition that a client c is one of some. `id > 0` is the predicate of the partial index that has their names.
 */
export function isKnownClient({ ids }: Matches): Sql {
  return sql`c.id > 0 and c.id = any(array(${ids}))`
}

/** The clients that the caller may see, and further ones; undefined if they are more than MAX_SEARCHED_CLIENTS. */
export function visibleClients(call: Call, further: Sql[] = []): Promise<Matches | undefined> {
  const visible = visibleIds(call.contract.entities.client, call.me)!
  return findMatches(call, unionOf([...visible, ...further]), MAX_SEARCHED_CLIENTS)
}

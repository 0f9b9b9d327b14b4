import { sql } from 'kysely'
import type { Call } from './call.ts'
import type { Sql } from './db.ts'
import { findMatches, type Matches } from './matches.ts'
import type { NameQuery } from './query.ts'
import { createdIds, fewFor, unionOf, visibleIds } from './visibleIds.ts'

/** Of so many clients that somebody sees the names are read, rather than those of all clients. */
const FEW_CLIENTS = 20_000

/**
 * Clients of a name, at least all that the caller sees or made actions for; undefined where these and those of the name
 * are many.
 */
export async function matchingClients(
  call: Call,
  { ids, isCommon }: NameQuery,
): Promise<Matches | undefined> {
  const few = isCommon ? undefined : await findMatches(call, ids, fewFor(call.me))
  if (few) return few
  const known = await visibleClients(call, [createdIds(call.me, 'actions', 'client')])
  return known && findMatches(call, sql`${ids} and ${isKnownClient(known)}`, FEW_CLIENTS)
}

/** The condition that a client c is one of some, whose names are read off an index that is for numbers above zero. */
export function isKnownClient({ ids }: Matches): Sql {
  return sql`c.id > 0 and c.id = any(array(${ids}))`
}

/** The clients that the caller sees, and further ones; undefined where they are many. */
export function visibleClients(call: Call, further: Sql[] = []): Promise<Matches | undefined> {
  const visible = visibleIds(call.contract.entities.client, call.me)!
  return findMatches(call, unionOf([...visible, ...further]), FEW_CLIENTS)
}

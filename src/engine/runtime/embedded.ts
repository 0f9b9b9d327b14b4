import type { QueryClient } from '@tanstack/react-query'
import { entityOfCall } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { readKey } from './calls.ts'

/** For so many milliseconds a record that came inside of another one is not read again. */
const FRESH = 5000

const cached = new WeakSet<object>()

/**
 * A reply's record with the ids of those that it embeds, as forms, lists and drafts have them. What it embeds is cached
 * as if it had been read by its own call.
 */
export function takeEmbedded(
  contract: Contract,
  client: QueryClient,
  name: string,
  record: unknown,
): unknown {
  const embedding = Object.entries(
    contract.entities[entityOfCall(contract, name) ?? '']?.properties ?? {},
  ).filter(([, p]) => p.embeds)
  if (embedding.length === 0 || !isPlainObject(record)) return record
  const ids: Values = {}
  for (const [property, { embeds }] of embedding) {
    const embedded = record[property]
    if (!isPlainObject(embedded)) continue
    ids[property] = embedded.id
    const read = Object.keys(contract.endpoints).find(
      (one) => contract.endpoints[one].does === `read ${embeds}`,
    )
    if (read) cache(client, readKey(read, { params: { id: embedded.id } }), embedded)
  }
  return { ...record, ...ids }
}

/** Whether cached data has just come inside of another record. */
export function isJustEmbedded(data: unknown, updatedAt: number): boolean {
  return isPlainObject(data) && cached.has(data) && Date.now() - updatedAt < FRESH
}

/** Caches a record, unless a newer version of it is there. */
function cache(client: QueryClient, key: unknown[], record: Values): void {
  const version = client.getQueryData<Values>(key)?.version
  if (typeof version === 'number' && version > Number(record.version)) return
  client.setQueryData(key, record)
  cached.add(client.getQueryData<Values>(key)!)
}

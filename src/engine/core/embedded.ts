import type { QueryClient } from '@tanstack/react-query'
import { entityOfCall } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { isPlainObject, type Values } from '../../contract/when.ts'
import { readKey } from './calls.ts'

/**
 * A record of a reply with its embedded records replaced by their ids, as forms, lists and drafts expect. The embedded
 * records are cached as if their own calls had read them.
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

/** Caches a record, unless a newer version of it is cached. */
function cache(client: QueryClient, key: unknown[], record: Values): void {
  const version = client.getQueryData<Values>(key)?.version
  if (typeof version === 'number' && version > Number(record.version)) return
  client.setQueryData(key, record)
}

import { createHash } from 'node:crypto'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../../contract/contract.ts'

/** The contract as it is served: its address has a hash of its content, so that browsers cache it until it changes. */
interface ServedContract {
  address: string
  text: string
  /** By content encoding; each is undefined until its compression has finished. */
  compressed: { br?: Buffer; gzip?: Buffer }
}

/**
 * Prepares a contract to be served. Compression takes half a second in the background; until then it is sent
 * uncompressed.
 */
export function packContract(contract: Contract): ServedContract {
  const text = JSON.stringify(withoutUnusedKeys(contract))
  const address = `/contract-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`
  const compressed: ServedContract['compressed'] = {}
  brotliCompress(text, (_, bytes) => {
    compressed.br = bytes
  })
  gzip(text, (_, bytes) => {
    compressed.gzip = bytes
  })
  return { address, text, compressed }
}

/** Sends the contract in the best encoding that the browser accepts. */
export function sendContract(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  { address, text, compressed }: ServedContract,
): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '').split(/\s*,\s*/)
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name) && compressed[name])
  // An outdated page requests another address, under which it must not cache this contract.
  const cacheControl = url === address ? 'public, max-age=31536000, immutable' : 'no-store'
  return reply
    .headers({
      'content-type': 'application/json',
      'cache-control': cacheControl,
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
    .send(encoding ? compressed[encoding] : text)
}

/** A contract without the keys that only the server, or a reader of the JSON, needs. */
function withoutUnusedKeys(contract: Contract): object {
  const without = (unused: string[], all: object) =>
    Object.fromEntries(
      Object.entries(all).map(([name, part]) => [
        name,
        Object.fromEntries(Object.entries(part as object).filter(([key]) => !unused.includes(key))),
      ]),
    )
  const entitiesWithoutPurposes = Object.fromEntries(
    Object.entries(contract.entities).map(([name, entity]) => [
      name,
      { ...entity, properties: without(['purpose'], entity.properties) },
    ]),
  )
  return {
    ...contract,
    entities: without(
      ['$schema', 'table', 'view', 'purpose', 'retention', 'rowsOf'],
      entitiesWithoutPurposes,
    ),
    endpoints: without(['why'], contract.endpoints),
    screens: without(['$schema'], contract.screens),
  }
}

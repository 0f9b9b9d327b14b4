import { createHash } from 'node:crypto'
import { brotliCompress, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../contract/contract.ts'

/** The contract as browsers get it: under an address of its content, so that they keep it until it differs. */
export interface ServedContract {
  address: string
  text: string
  /** By the name of the encoding, as soon as each is there. */
  compressed: { br?: Buffer; gzip?: Buffer }
}

/** Packs a contract. The best compression takes half a second, on another thread; nobody waits for it. */
export function packContract(contract: Contract): ServedContract {
  const text = JSON.stringify(withoutUnread(contract))
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

/** Answers with the contract, as small as the browser takes it. */
export function sendContract(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  { address, text, compressed }: ServedContract,
): FastifyReply {
  const accepted = String(headers['accept-encoding'] ?? '').split(/\s*,\s*/)
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name) && compressed[name])
  // A page that is older than the server, or than a swap, must not keep this contract under the other's name.
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

/** A contract without what only the server, or a reader of the JSON, needs. */
function withoutUnread(contract: Contract): object {
  const without = (unread: string[], all: object) =>
    Object.fromEntries(
      Object.entries(all).map(([name, part]) => [
        name,
        Object.fromEntries(Object.entries(part as object).filter(([key]) => !unread.includes(key))),
      ]),
    )
  return {
    ...contract,
    entities: without(['$schema', 'table', 'view'], contract.entities),
    endpoints: without(['why'], contract.endpoints),
    screens: without(['$schema'], contract.screens),
  }
}

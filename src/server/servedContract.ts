import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Contract } from '../contract/contract.ts'

/** The contract as browsers get it: under an address of its content, so that they keep it until it differs. */
export interface ServedContract {
  address: string
  text: string
  /** By the name of the encoding, the best first. */
  compressed: Record<'br' | 'gzip', Promise<Buffer>>
}

// One step below the best: that takes ten times as long for half a KB.
const QUALITY = 10

/** What only the server or a reader of the JSON needs. */
const UNREAD = new Set(['$schema', 'why', 'table', 'view'])

/** Packs a contract; it is compressed aside, so that a swap does not wait for it. */
export function packContract(contract: Contract): ServedContract {
  const text = JSON.stringify(contract, (key, value) => (isUnread(key, value) ? undefined : value))
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  return {
    text,
    address: `/contract-${createHash('sha256').update(text).digest('hex').slice(0, 16)}.json`,
    compressed: { br: promisify(brotliCompress)(text, { params }), gzip: promisify(gzip)(text) },
  }
}

/** Answers with the contract, as small as the browser takes it. */
export async function sendContract(
  { url, headers }: FastifyRequest,
  reply: FastifyReply,
  { address, text, compressed }: ServedContract,
): Promise<FastifyReply> {
  const accepted = String(headers['accept-encoding'] ?? '').split(/\s*,\s*/)
  const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name))
  // A page that is older than the server, or than a swap, must not keep this contract under the other's name.
  const cacheControl = url === address ? 'public, max-age=31536000, immutable' : 'no-store'
  return reply
    .headers({
      'content-type': 'application/json',
      'cache-control': cacheControl,
      vary: 'Accept-Encoding',
      ...(encoding && { 'content-encoding': encoding }),
    })
    .send(encoding ? await compressed[encoding] : text)
}

/** Of a form or a column of this name the value is no text. */
const isUnread = (key: string, value: unknown) => UNREAD.has(key) && typeof value === 'string'

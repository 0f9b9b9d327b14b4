import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isTrustedPeer } from './start/trustProxy.ts'

const SHAPE = /^[\w-]{1,64}$/
/** 60 random bits: few enough characters to be read out on the telephone. */
const LENGTH = 18

/**
 * Names requests: by the `x-request-id` of a trusted proxy, so that its log and ours name a request alike, otherwise
 * anew. Others could write into the log what they like, or use an id twice.
 */
export function requestIds(trustProxy: string): (request: IncomingMessage) => string {
  const isTrusted = isTrustedPeer(trustProxy)
  return ({ headers, socket }) => {
    const sent = headers['x-request-id']
    const isUsable = typeof sent === 'string' && SHAPE.test(sent) && isTrusted(socket.remoteAddress)
    return isUsable ? sent : randomUUID().slice(0, LENGTH)
  }
}

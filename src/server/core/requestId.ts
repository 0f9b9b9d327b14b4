import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isTrustedPeer } from './trustProxy.ts'

const PATTERN = /^[\w-]{1,64}$/
/** 60 random bits, in few enough characters to be read out on the telephone. */
const LENGTH = 18

/**
 * Generates request ids. An `x-request-id` is taken over only from a trusted proxy, so that its log has the same id:
 * others could write what they like into the log, or use an id twice.
 */
export function requestIds(trustProxy: string): (request: IncomingMessage) => string {
  const isTrusted = isTrustedPeer(trustProxy)
  return ({ headers, socket }) => {
    const sent = headers['x-request-id']
    const isUsable = typeof sent === 'string' && PATTERN.test(sent) && isTrusted(socket.remoteAddress)
    return isUsable ? sent : randomUUID().slice(0, LENGTH)
  }
}

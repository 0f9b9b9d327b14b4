import { isIP } from 'node:net'

/** Names that stand for ranges of addresses. */
const RANGES = ['loopback', 'linklocal', 'uniquelocal']
const MOST_BITS: Record<number, number> = { 4: 32, 6: 128 }

/** Whether a text says which proxies are trusted: 'true', a number of hops, or addresses with or without a prefix. */
export function isTrustProxy(text: string): boolean {
  return text === 'true' || /^\d{1,2}$/.test(text) || text.split(',').every((one) => isAddress(one.trim()))
}

/** The same as Fastify takes it; nobody is trusted where nothing is said. A bare number Fastify takes for nobody. */
export function trustedProxies(
  text: string,
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (text === '' || text === 'true') return text === 'true'
  if (/^\d+$/.test(text)) return (_, hop) => hop < Number(text)
  return text.split(',').map((one) => one.trim())
}

function isAddress(text: string): boolean {
  const [, address, , bits] = text.match(/^([^/]+)(\/(\d{1,3}))?$/) ?? []
  if (!address) return false
  if (bits === undefined && RANGES.includes(address)) return true
  return isIP(address) !== 0 && Number(bits ?? 0) <= MOST_BITS[isIP(address)]
}

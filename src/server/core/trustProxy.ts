import { BlockList, isIP } from 'node:net'

/** Names for ranges of addresses, as Fastify defines them. */
const RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
/** Maximum prefix length by IP version. */
const MAX_BITS: Record<number, number> = { 4: 32, 6: 128 }

/** True if a text is a valid TRUST_PROXY: 'true', a number of hops, or addresses with or without a prefix length. */
export function isTrustProxy(text: string): boolean {
  return text === 'true' || /^\d{1,2}$/.test(text) || text.split(',').every((one) => isAddress(one.trim()))
}

/**
 * TRUST_PROXY as Fastify's option; empty trusts nobody. A number becomes a function, because Fastify would trust
 * nobody.
 */
export function trustedProxies(
  text: string,
): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (text === '' || text === 'true') return text === 'true'
  if (/^\d+$/.test(text)) return (_, hop) => hop < Number(text)
  return text.split(',').map((one) => one.trim())
}

/** Returns a predicate for the peer addresses of trusted proxies, for use before Fastify has made its request. */
export function isTrustedPeer(text: string): (address?: string) => boolean {
  if (text === '' || text === 'true') return () => text === 'true'
  if (/^\d+$/.test(text)) return () => Number(text) > 0
  const trusted = new BlockList()
  for (const range of text.split(',').flatMap((one) => RANGES[one.trim()] ?? [one.trim()])) {
    const [address, bits] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    trusted.addSubnet(address, Number(bits ?? MAX_BITS[isIP(address)]), family)
  }
  return (address = '') =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function isAddress(text: string): boolean {
  const [, address, , bits] = text.match(/^([^/]+)(\/(\d{1,3}))?$/) ?? []
  if (!address) return false
  if (bits === undefined && address in RANGES) return true
  return isIP(address) !== 0 && Number(bits ?? 0) <= MAX_BITS[isIP(address)]
}

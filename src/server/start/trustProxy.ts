import { BlockList, isIP } from 'node:net'

/** Names that stand for ranges of addresses, as Fastify reads them. */
const RANGES: Record<string, string[]> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
}
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

/** Tells whether the address that a connection comes from is a trusted proxy, before Fastify has made a request of it. */
export function isTrustedPeer(text: string): (address?: string) => boolean {
  if (text === '' || text === 'true') return () => text === 'true'
  if (/^\d+$/.test(text)) return () => Number(text) > 0
  const trusted = new BlockList()
  for (const range of text.split(',').flatMap((one) => RANGES[one.trim()] ?? [one.trim()])) {
    const [address, bits] = range.split('/')
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6'
    trusted.addSubnet(address, Number(bits ?? MOST_BITS[isIP(address)]), family)
  }
  return (address = '') =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
}

function isAddress(text: string): boolean {
  const [, address, , bits] = text.match(/^([^/]+)(\/(\d{1,3}))?$/) ?? []
  if (!address) return false
  if (bits === undefined && address in RANGES) return true
  return isIP(address) !== 0 && Number(bits ?? 0) <= MOST_BITS[isIP(address)]
}

import { isIPv6 } from 'node:net'

/**
 * The network by which guesses are counted: an IPv4 address, or the /64 network of an IPv6 address, all of whose
 * addresses belong to one customer. An IPv4-mapped IPv6 address counts as its IPv4 address.
 */
export function networkOf(ip: string): string {
  const mapped = ip.match(/^::ffff:(\d+\.\d+\.\d+\.\d+)$/i)?.[1]
  if (mapped) return mapped
  const [address] = ip.split('%')
  if (!isIPv6(address)) return ip
  const [front, back] = shortest(address).split('::')
  const [left, right] = [front, back ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros = Array(8 - left.length - right.length).fill('0')
  const network = [...left, ...zeros, ...right].slice(0, 4).join(':')
  return `${shortest(`${network}::`)}/64`
}

/** An IPv6 address in the notation of RFC 5952. */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

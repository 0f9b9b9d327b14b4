import { isIPv6 } from 'node:net'

/**
 * What guesses are counted by: an IPv4 address, or the /64 network of an IPv6 address, all of whose addresses one
 * customer has. An IPv4 address that is written as an IPv6 one is counted as what it is.
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

/** An IPv6 address as RFC 5952 writes it. */
function shortest(address: string): string {
  return new URL(`http://[${address}]`).hostname.slice(1, -1)
}

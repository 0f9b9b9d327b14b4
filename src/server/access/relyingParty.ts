import { isIP } from 'node:net'
import type { Call } from '../core/call.ts'
import { publicAddress } from './mail.ts'

/** What passkeys are bound to: the host name of PUBLIC_URL (WebAuthn's id of the relying party), and its origin. */
export function relyingParty(call: Pick<Call, 'settings' | 'request'>): { id: string; origin: string } {
  const { hostname, origin } = new URL(publicAddress(call))
  return { id: hostname, origin }
}

/** True where browsers have passkeys: at a host name, not an IP address, over https or on this machine. */
export function offersPasskeys(call: Pick<Call, 'settings' | 'request'>): boolean {
  const { protocol, hostname } = new URL(publicAddress(call))
  const isLocal = hostname === 'localhost' || hostname.endsWith('.localhost')
  return !hostname.startsWith('[') && isIP(hostname) === 0 && (protocol === 'https:' || isLocal)
}

import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** A policy that lets a browser do nothing with a reply, should it ever open one as a page. */
export const NO_CONTENT_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** What every reply says, of whatever kind, unless it says something of its own by the same name. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NO_CONTENT_POLICY,
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Browsers use nothing but https for a year, for this host and all below it. */
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** The security headers of every reply of a server that people reach by https, or not. */
export function securityHeaders(isHttps: boolean): Record<string, string> {
  return isHttps ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS
}

const STATUS_BY_CODE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers what could not be read as HTTP; Node has no reply for that which headers could be added to. */
export function refuseUnreadable(headers: Record<string, string>) {
  return ({ code = '' }: { code?: string }, socket: Socket): void => {
    if (code === 'ECONNRESET' || socket.destroyed) return
    const status = STATUS_BY_CODE[code] ?? 400
    const body = JSON.stringify({ code: 'badRequest', message: STATUS_CODES[status] })
    const lines = Object.entries({
      ...headers,
      'content-type': 'application/json; charset=utf-8',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    }).map(([name, value]) => `${name}: ${value}`)
    if (socket.writable)
      socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`)
    socket.destroy()
  }
}

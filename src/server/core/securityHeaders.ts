import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

/** A Content-Security-Policy that forbids everything, in case a browser opens a reply as a page. */
export const NO_CONTENT_POLICY =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Headers of every reply that does not set its own header of the same name. */
const SECURITY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': NO_CONTENT_POLICY,
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

/** Tells browsers to use only https for a year, for this host and its subdomains. */
const HSTS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** The security headers of every reply, with HSTS if the server is reached by https. */
export function securityHeaders(isHttps: boolean): Record<string, string> {
  return isHttps ? { ...SECURITY_HEADERS, ...HSTS } : SECURITY_HEADERS
}

const STATUS_BY_CODE: Record<string, number> = {
  ERR_HTTP_REQUEST_TIMEOUT: 408,
  HPE_HEADER_OVERFLOW: 431,
}

/** Answers requests that Node cannot parse as HTTP; its default answer has no security headers. */
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

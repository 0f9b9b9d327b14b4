import { once } from 'node:events'
import { hostname } from 'node:os'
import { connect } from 'node:tls'
import type { AuditLine } from './auditLine.ts'

const TIMEOUT_MS = 20_000
const DEFAULT_PORT = 6514
/** Facility 13, log audit; severity 6, informational. */
const PRIORITY = 13 * 8 + 6

/**
 * Writes lines as syslog messages over TLS (RFC 5424, 5425) on a connection of their own. Syslog acknowledges nothing,
 * so they count as received once the receiver has closed the connection after reading to its end.
 */
export async function writeSyslog(url: URL, lines: AuditLine[], { ca }: { ca?: string } = {}): Promise<void> {
  const { hostname: host, port } = url
  const socket = connect({ host, port: Number(port || DEFAULT_PORT), ca, timeout: TIMEOUT_MS })
  socket.on('timeout', () => socket.destroy(Object.assign(new Error('No answer'), { code: 'ETIMEDOUT' })))
  await once(socket, 'secureConnect')
  const closed = once(socket, 'end')
  socket.resume()
  socket.end(lines.map(framed).join(''))
  await closed
}

/** A message after its length in bytes and a space. */
function framed(line: AuditLine): string {
  const message = `<${PRIORITY}>1 ${line.at} ${hostname()} casework ${process.pid} audit - ${JSON.stringify(line)}`
  return `${Buffer.byteLength(message)} ${message}`
}

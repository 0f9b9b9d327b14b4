import type { AuditLine } from './auditLine.ts'

const TIMEOUT_MS = 20_000

/** Posts lines of JSON (application/x-ndjson); a user and password in the address are sent as Basic authorization. */
export async function postLines(url: URL, lines: AuditLine[]): Promise<void> {
  const address = new URL(url)
  const { username, password } = address
  address.username = ''
  address.password = ''
  const credentials = [username, password].map(decodeURIComponent).join(':')
  const reply = await fetch(address, {
    method: 'POST',
    body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    headers: {
      'content-type': 'application/x-ndjson',
      ...(username && { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((error) => {
    throw Object.assign(new Error('No answer'), { code: error.cause?.code ?? error.name })
  })
  await reply.body?.cancel()
  if (!reply.ok) throw Object.assign(new Error('Refused'), { code: `HTTP ${reply.status}` })
}

import type { Settings } from '../../core/settings.ts'
import { withSpan } from '../../core/withSpan.ts'

/** An address in the replies of our calls. */
export interface FoundAddress {
  value: string
  label: string
}

/** Timeout of the service, in milliseconds. */
const TIMEOUT_MS = 2000
/** Maximum size of a reply in bytes; no list of addresses of a postcode is longer. */
const MAX_BYTES = 1024 * 1024

/**
 * Calls the service of ADDRESS_URL, which returns a list of `{id, label}`. If it fails, times out or returns anything
 * else, the result is empty: people can still type the address.
 */
export async function findAddresses(
  { ADDRESS_URL }: Pick<Settings, 'ADDRESS_URL'>,
  query: { postcode: string } | { id: string },
): Promise<FoundAddress[]> {
  try {
    return await withSpan('find addresses', () => fetchAddresses(ADDRESS_URL, query))
  } catch {
    return []
  }
}

async function fetchAddresses(service: string, query: Record<string, string>): Promise<FoundAddress[]> {
  const url = new URL(service)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  const headers = { accept: 'application/json' }
  // A redirect is a failure, so that only the configured host gets the key in the URL.
  const reply = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!reply.ok) throw Object.assign(new Error('refused'), { code: reply.status })
  return parseAddresses(JSON.parse(await textOf(reply)))
}

/** Parses a list of `{id, label}`, or of `{value, label}` like our own replies; throws for any other shape. */
function parseAddresses(body: unknown): FoundAddress[] {
  return (body as Record<string, unknown>[]).map(({ id, value = id, label }) => {
    const isId = typeof value === 'string' || typeof value === 'number'
    if (!isId || typeof label !== 'string' || label.trim() === '') throw new Error('no address')
    return { value: String(value), label }
  })
}

async function textOf(reply: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of reply.body ?? []) {
    length += chunk.length
    if (length > MAX_BYTES) throw new Error('too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

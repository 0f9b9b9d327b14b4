import type { Settings } from '../settings.ts'
import { withSpan } from '../tracing/withSpan.ts'

/** An address as our calls answer it. */
export interface FoundAddress {
  value: string
  label: string
}

/** In ms. */
const TIMEOUT_MS = 2000
/** In bytes; no list of addresses of a postcode is longer. */
const LONGEST = 1024 * 1024

/**
 * Asks the service of ADDRESS_URL, which answers a list of `{id, label}`. Whoever waits for it can type the address all
 * the same: a service that fails, is slow or answers something else has found none.
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
  // A redirect counts as a failure: only the host of the settings gets the key in its address.
  const reply = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(TIMEOUT_MS) })
  if (!reply.ok) throw Object.assign(new Error('refused'), { code: reply.status })
  return parseAddresses(JSON.parse(await textOf(reply)))
}

/** Addresses by `id`, or by `value` as our own calls say it; of another shape it throws. */
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
    if (length > LONGEST) throw new Error('too much')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

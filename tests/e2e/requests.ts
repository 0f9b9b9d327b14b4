import type { CDPSession } from 'playwright-core'

interface Request {
  url: string
  /** In seconds of the browser's clock; `end` is undefined while the request is open. */
  start: number
  end?: number
  /** Bytes on the wire, headers and body. */
  bytes: number
}

/** Records the requests of a page over the DevTools protocol; the returned function returns those so far. */
export async function recordRequests(cdp: CDPSession): Promise<() => Request[]> {
  const requests = new Map<string, Request>()
  cdp.on('Network.requestWillBeSent', ({ requestId, request: { url }, timestamp }) => {
    if (!url.startsWith('data:')) requests.set(requestId, { url, start: timestamp, bytes: 0 })
  })
  cdp.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId)
    if (request) Object.assign(request, { end: timestamp, bytes: encodedDataLength })
  })
  await cdp.send('Network.enable')
  return () => [...requests.values()].map((request) => ({ ...request }))
}

/**
 * The longest chain of requests in which each started after the previous one had ended: the number of sequential round
 * trips that a page takes.
 */
export function longestChain(requests: Request[]): string[] {
  const chains: { end: number; urls: string[] }[] = []
  let longest: string[] = []
  for (const { url, start, end } of [...requests].sort((a, b) => a.start - b.start)) {
    const before = chains.filter((chain) => chain.end <= start).sort((a, b) => b.urls.length - a.urls.length)
    const urls = [...(before[0]?.urls ?? []), url]
    if (end !== undefined) chains.push({ end, urls })
    if (urls.length > longest.length) longest = urls
  }
  return longest
}

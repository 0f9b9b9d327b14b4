import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import { makeCall } from '../engine/calls.ts'
import { type News, takeNews } from '../engine/takeNews.ts'
import { readStream } from './newsStream.ts'
import { stored } from './storage.ts'

/** Where the stream does not get through, this often, in ms. */
const ASK = 5000
/** After a stream that lasted no longer than this, so long, in ms; after another at once: it may have been the session's end. */
const AGAIN = 2000

/**
 * Hears of publications for as long as somebody is signed in. One tab of a browser holds the stream and tells the
 * others, for a browser has few connections to a server; where that cannot be, each asks from time to time. Neither
 * counts as something that the person did. Answers how to stop.
 */
export function hearNews(contract: Contract, client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const take = (news: News[]) => takeNews(contract, client, news)
  if (navigator.locks && 'BroadcastChannel' in window) {
    const others = new BroadcastChannel('news')
    others.onmessage = ({ data }) => take(data)
    signal.addEventListener('abort', () => others.close())
    const tell = (news: News[]) => {
      take(news)
      if (!signal.aborted) others.postMessage(news)
    }
    navigator.locks.request('news', { signal }, () => follow(contract, tell, signal)).catch(() => undefined)
  } else void ask(contract, take, signal)
  return () => stop.abort()
}

/** Holds a stream as long as it lasts, and begins another one after it; asks instead where none gets through. */
async function follow(contract: Contract, tell: (news: News[]) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const begun = Date.now()
    const got = await readStream(() => get(contract, 'news.stream', signal), tell, signal)
    if (got === 'nothing') return ask(contract, tell, signal)
    if (Date.now() - begun <= AGAIN) await wait(AGAIN, signal)
  }
}

async function ask(contract: Contract, tell: (news: News[]) => void, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden) {
      const reply = await get(contract, 'news.read', signal).catch(() => undefined)
      if (reply?.ok) tell(await reply.json())
    }
    await wait(ASK, signal)
  }
}

/** By fetch, so that the session's clock does not take it for something that the person did. */
async function get(contract: Contract, name: string, signal: AbortSignal): Promise<Response> {
  const { path } = callOf(contract.endpoints[name])
  const headers = { Accept: 'application/json', Authorization: `Token ${stored('token')}` }
  const reply = await fetch(path, { signal, headers })
  // The session was ended elsewhere: a call that is heard by the shell says so to the person.
  if (reply.status === 401) await makeCall(contract, 'auth.me').catch(() => undefined)
  return reply
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
}

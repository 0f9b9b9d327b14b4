import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '../contract/call.ts'
import type { Contract } from '../contract/contract.ts'
import { makeCall } from '../engine/runtime/calls.ts'
import { applyVersionEvents, type VersionEvent } from '../engine/runtime/versionEvents.ts'
import { readEventStream } from './eventStream.ts'
import { stored } from './storage.ts'

/** Where the stream does not get through, this often, in ms. */
const POLL_INTERVAL_MS = 5000
/** After a stream that lasted no longer than this, so long, in ms; after another at once: it may have been the session's end. */
const RECONNECT_DELAY_MS = 2000

/**
 * Hears of publications for as long as somebody is signed in. One tab of a browser holds the stream and tells the
 * others, for a browser has few connections to a server; where that cannot be, each asks from time to time. Neither
 * counts as something that the person did. Answers how to stop.
 */
export function subscribeToVersions(contract: Contract, client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const apply = (events: VersionEvent[]) => applyVersionEvents(contract, client, events)
  if (navigator.locks && 'BroadcastChannel' in window) {
    const others = new BroadcastChannel('versionEvents')
    others.onmessage = ({ data }) => apply(data)
    signal.addEventListener('abort', () => others.close())
    const emit = (events: VersionEvent[]) => {
      apply(events)
      if (!signal.aborted) others.postMessage(events)
    }
    navigator.locks
      .request('news', { signal }, () => followStream(contract, emit, signal))
      .catch(() => undefined)
  } else void poll(contract, apply, signal)
  return () => stop.abort()
}

/** Holds a stream as long as it lasts, and begins another one after it; asks instead where none gets through. */
async function followStream(
  contract: Contract,
  emit: (events: VersionEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = Date.now()
    const outcome = await readEventStream(() => fetchCall(contract, 'news.stream', signal), emit, signal)
    if (outcome === 'nothing') return poll(contract, emit, signal)
    if (Date.now() - startedAt <= RECONNECT_DELAY_MS) await wait(RECONNECT_DELAY_MS, signal)
  }
}

async function poll(
  contract: Contract,
  emit: (events: VersionEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    if (!document.hidden) {
      const reply = await fetchCall(contract, 'news.read', signal).catch(() => undefined)
      if (reply?.ok) emit(await reply.json())
    }
    await wait(POLL_INTERVAL_MS, signal)
  }
}

/** By fetch, so that the session's clock does not take it for something that the person did. */
async function fetchCall(contract: Contract, name: string, signal: AbortSignal): Promise<Response> {
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

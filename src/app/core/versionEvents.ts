import type { QueryClient } from '@tanstack/react-query'
import { callOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import { makeCall } from '../../engine/core/calls.ts'
import { reportNoReply } from '../../engine/core/connection.ts'
import { applyVersionEvents, type VersionEvent } from '../../engine/core/versionEvents.ts'
import { readEventStream } from './eventStream.ts'
import { checkRelease } from './newRelease.ts'
import { stored } from './storage.ts'

/** Poll interval in ms if the stream does not get through. */
const POLL_INTERVAL_MS = 5000
/**
 * Reconnect delay in ms after a stream that ended sooner than this; a longer one reconnects at once, since the
 * session may have ended.
 */
const RECONNECT_DELAY_MS = 2000

/**
 * Subscribes to version events while somebody is signed in. One tab reads the event stream and broadcasts to the
 * others, because browsers limit connections per server; without Web Locks each tab polls. Returns the unsubscribe
 * function.
 */
export function subscribeToVersions(contract: Contract, client: QueryClient): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const apply = (events: VersionEvent[]) => {
    checkRelease(events)
    applyVersionEvents(contract, client, events)
  }
  if (navigator.locks && 'BroadcastChannel' in window) {
    const others = new BroadcastChannel('versionEvents')
    others.onmessage = ({ data }) => apply(data)
    signal.addEventListener('abort', () => others.close())
    const emit = (events: VersionEvent[]) => {
      apply(events)
      if (!signal.aborted) others.postMessage(events)
    }
    navigator.locks
      .request('versionEvents', { signal }, () => followStream(contract, emit, signal))
      .catch(() => undefined)
  } else void poll(contract, apply, signal)
  return () => stop.abort()
}

/** Reads the stream and reconnects when it ends; polls if no stream gets through. */
async function followStream(
  contract: Contract,
  emit: (events: VersionEvent[]) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const startedAt = Date.now()
    const outcome = await readEventStream(
      () => fetchCall(contract, 'versionEvents.stream', signal),
      emit,
      signal,
    )
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
      // Without a connection, or behind a proxy that answers in HTML, the next poll tries again.
      const events = await readEvents(contract, signal).catch(() => undefined)
      if (events) emit(events)
    }
    await wait(POLL_INTERVAL_MS, signal)
  }
}

async function readEvents(contract: Contract, signal: AbortSignal): Promise<VersionEvent[] | undefined> {
  const reply = await fetchCall(contract, 'versionEvents.read', signal)
  return reply.ok ? reply.json() : undefined
}

/** Uses fetch instead of the HTTP client, so that polling does not reset the idle timer. */
async function fetchCall(contract: Contract, name: string, signal: AbortSignal): Promise<Response> {
  const token = stored('token')
  if (token === null) throw new Error('Nobody is signed in')
  const { path } = callOf(contract.endpoints[name])
  const headers = { Accept: 'application/json', Authorization: `Token ${token}` }
  const reply = await fetch(path, { signal, headers }).catch((error) => {
    if (!signal.aborted) reportNoReply()
    throw error
  })
  // The session was ended elsewhere: a call through the interceptors ends it here too.
  if (reply.status === 401) await makeCall(contract, 'auth.me').catch(() => undefined)
  return reply
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}

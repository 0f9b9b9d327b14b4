import { useSyncExternalStore } from 'react'

/** A probe that takes longer counts as a failure. */
const PROBE_TIMEOUT_MS = 5000
/** The same for a probe after a hint: the page says within a second that the connection is gone. */
const HINT_TIMEOUT_MS = 800
const FIRST_PAUSE_MS = 1000
const MAX_PAUSE_MS = 30_000
/** Statuses of a proxy that does not reach the server. */
const GATEWAY = new Set([502, 504])

let reachable = true
let timer: ReturnType<typeof setTimeout> | undefined
let pause = FIRST_PAUSE_MS
const listeners = new Set<() => void>()

/** True unless the last request to the server got no reply. */
export function isReachable(): boolean {
  return reachable
}

/** The same; renders again when it changes. */
export function useReachable(): boolean {
  return useSyncExternalStore(subscribeToConnection, isReachable)
}

/** Calls the listener when the server becomes reachable or unreachable. Returns the unsubscribe function. */
export function subscribeToConnection(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Reports that the server replied, whatever it replied. */
export function reportReply(): void {
  set(true)
}

/** Reports a request without a reply: from now on probes with growing pauses find out when the server is back. */
export function reportNoReply(): void {
  if (!reachable) return
  set(false)
  pause = FIRST_PAUSE_MS
  void probe()
}

/** Probes at once, after a hint that the server may have become reachable or unreachable. */
export function checkConnection(): void {
  if (reachable) {
    void replies(HINT_TIMEOUT_MS).then((replied) => (replied ? checkAgain() : reportNoReply()))
    return
  }
  pause = FIRST_PAUSE_MS
  void probe()
}

/** Resolves with the work, or with undefined once the connection is lost: a request may then hang for long. */
export function orLost<T>(work: Promise<T>): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const check = () => {
      if (!reachable) resolve(undefined)
    }
    const unsubscribe = subscribeToConnection(check)
    work.then(resolve, reject).finally(unsubscribe)
    check()
  })
}

/** Follows the hints of the browser, which knows its own network only. Returns the function that stops it. */
export function watchConnection(): () => void {
  const onVisible = () => {
    if (!document.hidden && !reachable) checkConnection()
  }
  addEventListener('online', checkConnection)
  addEventListener('offline', checkConnection)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    removeEventListener('online', checkConnection)
    removeEventListener('offline', checkConnection)
    document.removeEventListener('visibilitychange', onVisible)
  }
}

function set(next: boolean): void {
  if (next) clearTimeout(timer)
  if (next) checkAgain()
  if (reachable === next) return
  reachable = next
  for (const listener of [...listeners]) listener()
}

// A reply that was on its way may arrive after the browser went offline.
function checkAgain(): void {
  if (navigator.onLine) return
  clearTimeout(timer)
  timer = setTimeout(checkConnection, FIRST_PAUSE_MS)
}

async function probe(): Promise<void> {
  clearTimeout(timer)
  if (await replies(PROBE_TIMEOUT_MS)) return set(true)
  if (reachable) return
  clearTimeout(timer)
  timer = setTimeout(() => void probe(), pause)
  pause = Math.min(pause * 2, MAX_PAUSE_MS)
}

// Not the HTTP client: a probe needs no token, and must not extend the session.
async function replies(timeout: number): Promise<boolean> {
  try {
    const { status } = await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(timeout) })
    return !GATEWAY.has(status)
  } catch {
    return false
  }
}

interface NoticeAction {
  label: string
  run: () => void
}

/** A short message to the user: success disappears by itself, the others stay until they are dismissed. */
export interface Notice {
  kind: 'success' | 'warning' | 'error'
  title?: string
  text: string
  action?: NoticeAction
  /** A further action, besides undo. */
  offer?: NoticeAction
  /** Key of the failure; a later success with this key removes the notice. */
  cause?: string
  /** Request ID of the failed call in the server's log. */
  requestId?: string
}
type Listener = (notice: Notice) => void

/** The cause of notices while the server is unreachable. */
export const CONNECTION = 'connection'

const listeners = new Set<Listener>()

/** Emits a notice, which the shell renders as a toast. */
export function notify(notice: Notice): void {
  for (const listener of listeners) listener(notice)
}

/** Subscribes to notices. Returns the unsubscribe function. */
export function subscribeToNotices(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The cause of a failed call, by its method and path, so that a successful retry has the same. */
export function causeOf(call?: { method?: string; url?: string }): string {
  return `${call?.method} ${call?.url}`
}

interface NoticeAction {
  label: string
  run: () => void
}

/** A short message to the person: success goes by itself, the others stay until dismissed. */
export interface Notice {
  kind: 'success' | 'warning' | 'error'
  title?: string
  text: string
  action?: NoticeAction
  /** What can be done next, besides taking it back. */
  offer?: NoticeAction
  /** What it comes of: once that has gone well, it has nothing more to say. */
  cause?: string
  /** By which id the server's log names the failed call. */
  requestId?: string
}
type Listener = (notice: Notice) => void

/** The cause of what is said while the server cannot be reached. */
export const CONNECTION = 'connection'

const listeners = new Set<Listener>()

/** Tells the person something; the shell draws it as a toast. */
export function notify(notice: Notice): void {
  for (const listener of listeners) listener(notice)
}

/** Hears every notice until the returned function is called. */
export function subscribeToNotices(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The cause of what is said of a failed call: another try of the same is told by its method and path. */
export function causeOf(call?: { method?: string; url?: string }): string {
  return `${call?.method} ${call?.url}`
}

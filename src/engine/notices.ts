/** A short message to the person: success goes by itself, the others stay until dismissed. */
export interface Notice {
  kind: 'success' | 'warning' | 'error'
  title?: string
  text: string
  action?: { label: string; run: () => void }
}
type Listener = (notice: Notice) => void

const listeners = new Set<Listener>()

/** Tells the person something; the shell draws it as a toast. */
export function notify(notice: Notice): void {
  for (const listener of listeners) listener(notice)
}

/** Hears every notice until the returned function is called. */
export function onNotice(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

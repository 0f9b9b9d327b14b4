import type { Values } from '../../contract/when.ts'

interface Unsaved {
  user: number
  /** The page it was typed on. */
  address: string
  draft: number | undefined
  document: Values
}

// Only in this page's memory: what people write about people is never stored on the device.
let unsaved: Unsaved | undefined

/** Holds what the server could not be given any more, as when the session ended, until the same person comes back. */
export function rememberUnsaved(document: Unsaved): void {
  unsaved = document
}

/** The document that a person left unsaved on a page, in a draft or in none, given out once. */
export function takeUnsaved(user: number, address: string, draft: number | undefined): Values | undefined {
  if (unsaved?.user !== user || unsaved.address !== address || unsaved.draft !== draft) return undefined
  const { document } = unsaved
  unsaved = undefined
  return document
}

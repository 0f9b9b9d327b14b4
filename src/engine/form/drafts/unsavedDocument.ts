import type { Values } from '../../../contract/when.ts'

interface Unsaved {
  user: number
  /** URL of its page. */
  address: string
  draft: number | undefined
  document: Values
}

// Only in this page's memory: what people write about people is never stored on the device.
let unsaved: Unsaved | undefined

/**
 * Remembers a document in memory that could not be saved, such as after the session ended, until the same person
 * returns.
 */
export function rememberUnsaved(document: Unsaved): void {
  unsaved = document
}

/** Returns and forgets the unsaved document of a person for a page and draft. */
export function takeUnsaved(user: number, address: string, draft: number | undefined): Values | undefined {
  if (unsaved?.user !== user || unsaved.address !== address || unsaved.draft !== draft) return undefined
  const { document } = unsaved
  unsaved = undefined
  return document
}

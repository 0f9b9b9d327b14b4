interface Unfinished {
  /** Kind of its draft; undefined: it is only in the memory of this page. */
  kind: string | undefined
  /** Discards the record, and its draft on the server. */
  discard: () => Promise<void>
}

let unfinished: Unfinished | undefined

/** True if a new record on this page has changes that are not saved as a record yet. */
export function inProgress(): boolean {
  return unfinished !== undefined
}

/** Kind of the draft of the new record in progress; undefined if there is none. */
export function draftInProgress(): string | undefined {
  return unfinished?.kind
}

/** Discards the new record in progress, and its draft on the server; does nothing if there is none. */
export async function discard(): Promise<void> {
  await unfinished?.discard()
}

/** Marks a new record as in progress until the returned function is called. */
export function markInProgress(record: Unfinished): () => void {
  unfinished = record
  return () => {
    if (unfinished === record) unfinished = undefined
  }
}

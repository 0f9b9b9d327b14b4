interface Unfinished {
  /** Kind of the draft that it is kept as; undefined: it is in this page's memory only. */
  kind: string | undefined
  /** Gives up what was begun, on the server too. */
  discard: () => Promise<void>
}

let unfinished: Unfinished | undefined

/** Whether a new record holds something that would be lost with it. */
export function inProgress(): boolean {
  return unfinished !== undefined
}

/** Kind of the draft that the new record begun on this page is kept as; undefined where there is none. */
export function draftInProgress(): string | undefined {
  return unfinished?.kind
}

/** Gives up what was begun, on the server too; nothing where there is none. */
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

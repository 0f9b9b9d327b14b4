interface Unfinished {
  /** Gives up what was begun, on the server too. */
  discard: () => Promise<void>
}

let unfinished: Unfinished | undefined

/** Whether a wizard holds something that would be lost with it. */
export function inProgress(): boolean {
  return unfinished !== undefined
}

/** Gives up what the wizard holds, on the server too; nothing where there is none. */
export async function discard(): Promise<void> {
  await unfinished?.discard()
}

/** Says that a wizard holds something, until the returned function is called. */
export function begin(given: Unfinished): () => void {
  unfinished = given
  return () => {
    if (unfinished === given) unfinished = undefined
  }
}

import type { Contract } from '../../contract/contract.ts'
import type { Values } from '../../contract/when.ts'
import { conflictOf } from '../form/conflict.ts'
import { makeCall } from '../runtime/calls.ts'
import { statusOf } from '../runtime/describeError.ts'

export interface DraftRef {
  id: number
  version: number
}
/** What an unfinished one is, and the address of the page that it is begun on. */
export interface DraftOrigin {
  kind: string
  address: string
}
export interface DraftContent {
  title: string
  payload: Values
}

/** Keeps one unfinished document on the server. */
export interface Autosave {
  id(): number | undefined
  /** Saves this, about a second after the last change. */
  schedule(content: DraftContent): void
  /** Saves now what is waiting; rejects where that fails, and it waits on. */
  flush(): Promise<void>
  /** Saves nothing while a call is made that takes the draft away, nor after it; goes on where it fails. */
  submitWith<T>(call: (id: number | undefined) => Promise<T>): Promise<T>
  /** Nothing is saved from now on. */
  stop(): void
  /** Gives the draft up, here and on the server. */
  remove(): Promise<void>
  isSaved(): boolean
}

const DEBOUNCE_MS = 1000
const MAX_RETRIES = 2

/** Begins to keep a document: `known` is where it is kept already, `onCreate` hears where it is kept first. */
export function createAutosave(
  contract: Contract,
  origin: DraftOrigin,
  existing: DraftRef | undefined,
  onCreate: (id: number) => void,
): Autosave {
  let draft = existing
  let pending: DraftContent | undefined
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let submitting: Promise<void> | undefined
  let isStopped = false

  const save = async (content: DraftContent) => {
    if (!draft) {
      draft = await makeCall<DraftRef>(contract, 'drafts.create', { body: { ...origin, ...content } })
      if (!isStopped) onCreate(draft.id)
      return
    }
    const { id, version } = draft
    const saved = await makeCall<DraftRef>(contract, 'drafts.update', {
      params: { id },
      body: { ...content, version },
    })
    draft = { id, version: saved.version }
  }
  /** After a failure: whether trying again can help at once. */
  const recover = (error: unknown): boolean => {
    const newer = conflictOf(error)?.current
    if (draft && newer) {
      // The same draft is open elsewhere; who writes last is right.
      draft = { id: draft.id, version: Number(newer.version) }
      return true
    }
    if (statusOf(error) !== 404 || !draft) return false
    draft = undefined
    return true
  }
  const run = async () => {
    let retries = 0
    while (pending && !isStopped) {
      const content = pending
      pending = undefined
      try {
        await save(content)
      } catch (error) {
        pending ??= content
        retries += 1
        if (retries > MAX_RETRIES || !recover(error)) throw error
      }
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    if (submitting) return submitting.then(flush)
    // One request at a time: each needs the version that the one before it made.
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
  // Whoever watches over the calls tells of a failure; the next change tries again.
  const scheduleFlush = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush().catch(() => undefined), DEBOUNCE_MS)
  }
  const stop = () => {
    isStopped = true
    pending = undefined
    clearTimeout(timer)
  }
  return {
    id: () => draft?.id,
    schedule(content) {
      if (isStopped) return
      pending = content
      scheduleFlush()
    },
    flush,
    async submitWith(call) {
      // It must be known to go; one that cannot be saved is no reason to stop, and none is begun for a moment.
      if (draft || running) await flush().catch(() => undefined)
      const submission = call(draft?.id)
      submitting = submission.then(stop, () => undefined)
      try {
        return await submission
      } finally {
        submitting = undefined
        if (pending) scheduleFlush()
      }
    },
    stop,
    async remove() {
      stop()
      await running?.catch(() => undefined)
      if (draft) await makeCall(contract, 'drafts.remove', { params: { id: draft.id } })
      draft = undefined
    },
    isSaved: () => !pending && !running,
  }
}

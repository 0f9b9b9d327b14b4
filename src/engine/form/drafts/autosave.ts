import type { Contract } from '../../../contract/contract.ts'
import type { Values } from '../../../contract/when.ts'
import { makeCall } from '../../core/calls.ts'
import { orLost } from '../../core/connection.ts'
import { statusOf } from '../../core/describeError.ts'
import { isUsedKey } from '../../core/idempotencyKey.ts'
import { conflictOf } from '../store/conflict.ts'

export interface DraftRef {
  id: number
  version: number
}
/** Kind of a draft, and URL of the page that it was begun on. */
interface DraftOrigin {
  kind: string
  address: string
}
export interface DraftContent {
  title: string
  payload: Values
}

/** Autosaves one unfinished document on the server. */
export interface Autosave {
  id(): number | undefined
  /** Schedules a save, debounced by one second; `content` is called when the save runs. */
  schedule(content: () => DraftContent): void
  /** Saves pending content now; rejects on failure and keeps it pending. */
  flush(): Promise<void>
  /**
   * Pauses autosave while the call that deletes the draft runs; stops for good if it succeeds, resumes if it fails.
   */
  submitWith<T>(call: (id: number | undefined) => Promise<T>): Promise<T>
  /** Stops autosaving for good. */
  stop(): void
  /** Stops autosaving and deletes the draft on the server. */
  remove(): Promise<void>
  isSaved(): boolean
}

export const AUTOSAVE_DEBOUNCE_MS = 1000
const MAX_RETRIES = 2

interface Listener {
  /** Called with the id of a new draft. */
  onCreate: (id: number) => void
  /** Called after each successful save. */
  onSave: () => void
  /** Called after a failed save; the content stays pending. */
  onFail: (error: unknown) => void
}

/** Creates the autosave of a document: `existing` is the draft it already has. */
export function createAutosave(
  contract: Contract,
  origin: DraftOrigin,
  existing: DraftRef | undefined,
  { onCreate, onSave, onFail }: Listener,
): Autosave {
  const draft = storedDraft(contract, origin, existing)
  let pending: (() => DraftContent) | undefined
  let running: Promise<void> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let submitting: Promise<void> | undefined
  let isStopped = false

  const run = async () => {
    let retries = 0
    while (pending && !isStopped) {
      const content = pending
      pending = undefined
      try {
        const isNew = await draft.save(content())
        if (isNew && !isStopped) onCreate(draft.id()!)
        onSave()
      } catch (error) {
        pending ??= content
        retries += 1
        if (retries <= MAX_RETRIES && draft.recover(error)) continue
        if (!isStopped) onFail(error)
        throw error
      }
    }
  }
  const flush = (): Promise<void> => {
    clearTimeout(timer)
    if (submitting) return submitting.then(flush)
    // One request at a time: each needs the version returned by the previous one.
    running ??= run().finally(() => {
      running = undefined
    })
    return running
  }
  // The HTTP interceptor shows the error; the next change retries, and so can `onFail`.
  const scheduleFlush = () => {
    clearTimeout(timer)
    timer = setTimeout(() => void flush().catch(() => undefined), AUTOSAVE_DEBOUNCE_MS)
  }
  const stop = () => {
    isStopped = true
    pending = undefined
    clearTimeout(timer)
  }
  return {
    id: draft.id,
    schedule(content) {
      if (isStopped) return
      pending = content
      scheduleFlush()
    },
    flush,
    async submitWith(call) {
      // Save an existing draft first, so that its id can be sent; a failure must not block the call, and no draft is
      // created just for this.
      if (draft.id() !== undefined || running) await orLost(flush()).catch(() => undefined)
      const sentDraft = draft.id()
      const submission = call(sentDraft)
      submitting = submission.then(stop, () => undefined)
      try {
        const reply = await submission
        // A draft whose creation was still under way.
        void running
          ?.catch(() => undefined)
          .then(async () => {
            if (draft.id() !== sentDraft) await draft.remove().catch(() => undefined)
          })
        return reply
      } catch (error) {
        // The draft was finished before, with other values, and no longer exists.
        if (isUsedKey(error)) draft.forget()
        throw error
      } finally {
        submitting = undefined
        if (pending) scheduleFlush()
      }
    },
    stop,
    async remove() {
      stop()
      await running?.catch(() => undefined)
      await draft.remove()
    },
    isSaved: () => !pending && !running,
  }
}

/** The draft of an autosave on the server, which does not exist before its first save. */
function storedDraft(contract: Contract, origin: DraftOrigin, existing: DraftRef | undefined) {
  let draft = existing
  return {
    id: () => draft?.id,
    /** Returns true if the draft is new. */
    async save(content: DraftContent): Promise<boolean> {
      if (!draft) {
        draft = await makeCall<DraftRef>(contract, 'drafts.create', {
          body: { ...origin, ...content },
          showsLoss: true,
        })
        return true
      }
      const { id, version } = draft
      const saved = await makeCall<DraftRef>(contract, 'drafts.update', {
        params: { id },
        body: { ...content, version },
        showsLoss: true,
      })
      draft = { id, version: saved.version }
      return false
    },
    /** Prepares a retry after a failure; true if an immediate retry can help. */
    recover(error: unknown): boolean {
      const newer = conflictOf(error)?.current
      if (draft && newer) {
        // The draft is open in another tab: last write wins.
        draft = { id: draft.id, version: Number(newer.version) }
        return true
      }
      if (statusOf(error) !== 404 || !draft) return false
      draft = undefined
      return true
    },
    async remove(): Promise<void> {
      if (draft) await makeCall(contract, 'drafts.remove', { params: { id: draft.id }, showsLoss: true })
      draft = undefined
    },
    forget(): void {
      draft = undefined
    },
  }
}

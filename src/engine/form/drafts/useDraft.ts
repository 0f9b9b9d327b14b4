import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Values } from '../../../contract/when.ts'
import { makeCall, refresh } from '../../core/calls.ts'
import { isReachable, subscribeToConnection } from '../../core/connection.ts'
import { useContract } from '../../core/contract.ts'
import { statusOf } from '../../core/describeError.ts'
import { isUnanswered } from '../../core/http.ts'
import { CONNECTION, type Notice, notify } from '../../core/notices.ts'
import { useUser } from '../../core/user.ts'
import { type Autosave, createAutosave, type DraftContent, type DraftRef } from './autosave.ts'
import { markInProgress } from './inProgress.ts'
import { rememberUnsaved } from './unsavedDocument.ts'

interface DraftOptions {
  /**
   * Kind of the draft; undefined: changes are only remembered in memory, and only if the form unmounts without a
   * confirmation.
   */
  kind: string | undefined
  /** URL of the page, without the draft. */
  address: string
  /** The draft that is already stored. */
  known: DraftRef | undefined
  /** Called with the draft's id when it is first stored. */
  onCreate: (id: number) => void
  content: () => DraftContent & { payload: { document: Values } }
}

/** Error of the last save, and number of consecutive failures. */
interface Failure {
  error: unknown
  times: number
}

const NOT_STORED: Notice = {
  kind: 'error',
  title: 'Warning',
  text: 'No connection to the server: the draft is not saved yet',
  cause: CONNECTION,
}
const FIRST_RETRY_MS = 5_000
const MAX_RETRY_MS = 60_000

/** Saves again after a failure that may pass: after a delay that doubles, and when the connection is back. */
function useRetry(autosave: Autosave, failure: Failure | undefined): void {
  useEffect(() => {
    if (!failure || !mayPass(failure.error)) return
    const retry = () => void autosave.flush().catch(() => undefined)
    const delay = Math.min(FIRST_RETRY_MS * 2 ** (failure.times - 1), MAX_RETRY_MS)
    const timer = setTimeout(() => isReachable() && retry(), delay)
    const unsubscribe = subscribeToConnection(() => isReachable() && retry())
    return () => {
      clearTimeout(timer)
      unsubscribe()
    }
  }, [autosave, failure])
}

/** True if a retry may succeed: no response, 429 or 5xx. The server would refuse other requests again. */
function mayPass(error: unknown): boolean {
  const status = statusOf(error)
  return status === undefined || status === 429 || status >= 500
}

export type Draft = ReturnType<typeof useDraft>

/** Autosaves an unfinished record as a draft, from its first change until it is saved, discarded or left for later. */
export function useDraft({ kind, address, known, ...latest }: DraftOptions) {
  const contract = useContract()
  const queries = useQueryClient()
  const { id: user } = useUser()
  const latestOptions = useRef(latest)
  latestOptions.current = latest
  const state = useRef({ isDirty: false, isFinished: false })
  const [isDirty, setDirty] = useState(false)
  const [savedAt, setSavedAt] = useState<Date>()
  const [failure, setFailure] = useState<Failure>()
  const navigate = useNavigate()
  const [autosave] = useState(() =>
    createAutosave(contract, { kind: kind ?? '', address }, known, {
      onCreate: (id) => latestOptions.current.onCreate(id),
      onSave: () => {
        setSavedAt(new Date())
        setFailure(undefined)
      },
      onFail: (error) => setFailure((last) => ({ error, times: (last?.times ?? 0) + 1 })),
    }),
  )
  useRetry(autosave, failure)

  const scheduleSave = () => {
    if (kind) autosave.schedule(() => latestOptions.current.content())
  }
  const setDirtyState = (is: boolean) => {
    state.current.isDirty = is
    setDirty(is)
  }
  const finishWith = async (end: () => Promise<void> | void) => {
    state.current.isFinished = true
    setDirtyState(false)
    await end()
    if (kind) await refresh(contract, queries, 'drafts.update')
  }
  const discard = () => finishWith(autosave.remove)
  /** Shows a notice for some seconds that can restore a discarded draft. */
  const offerUndo = (content: DraftContent) => {
    const restore = async () => {
      const body = { kind, address, ...content }
      const { link } = await makeCall<{ link: string }>(contract, 'drafts.create', { body })
      await refresh(contract, queries, 'drafts.update')
      navigate(link)
    }
    const run = () => void restore().catch(() => offerUndo(content))
    notify({ kind: 'success', text: 'What you began is discarded', action: { label: 'Undo', run } })
  }
  useEffect(() => (isDirty ? markInProgress({ kind, discard }) : undefined), [isDirty, kind])
  useEffect(() => {
    const rememberInMemory = () => {
      const { document } = latestOptions.current.content().payload
      rememberUnsaved({ user, address, draft: autosave.id(), document })
    }
    const flush = () => {
      if (state.current.isFinished) return
      if (kind) autosave.flush().catch(rememberInMemory)
      else if (state.current.isDirty) rememberInMemory()
    }
    window.addEventListener('pagehide', flush)
    // Unmounting without a confirmation, as when the session ends, saves what was typed.
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [autosave, user, kind, address])

  return {
    autosave,
    scheduleSave,
    /** Called when the person changed something. */
    markChanged: () => {
      setDirtyState(true)
      scheduleSave()
    },
    /** True if there are changes, until the record is saved, discarded or left for later. */
    isDirty: () => state.current.isDirty,
    /** Time of the last successful save; undefined before the first. */
    savedAt,
    /** True if the last save failed. */
    hasFailed: failure !== undefined,
    discard,
    /** Discards the draft after a confirmation, with an undo for some seconds. */
    leave: async () => {
      const content = latestOptions.current.content()
      await discard()
      if (kind) offerUndo(content)
    },
    /** The content is saved: stops the guard and the autosave. */
    finish: () => finishWith(autosave.stop),
    /** Saves the draft now and stops the guard, so that the person can leave. */
    saveAndLeave: async () => {
      scheduleSave()
      await autosave.flush().catch((error) => {
        if (isUnanswered(error)) notify(NOT_STORED)
        throw error
      })
      await finishWith(autosave.stop)
    },
  }
}

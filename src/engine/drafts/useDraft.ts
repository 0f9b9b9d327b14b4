import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Values } from '../../contract/when.ts'
import { refresh } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { useUser } from '../runtime/user.ts'
import { createAutosave, type DraftContent, type DraftRef } from './autosave.ts'
import { markInProgress } from './inProgress.ts'
import { rememberUnsaved } from './unsavedDocument.ts'

interface DraftOptions {
  /** Kind of the draft; undefined: it is kept in this page's memory only, and only where the form goes unasked. */
  kind: string | undefined
  /** The page it is begun on, without the draft. */
  address: string
  /** Where it is kept already. */
  known: DraftRef | undefined
  /** Hears where it is kept first. */
  onCreate: (id: number) => void
  /** What there is to keep now. */
  content: () => DraftContent & { payload: { document: Values } }
}

/** Keeps an unfinished record on the server from its first change until it is saved, given up or left for later. */
export function useDraft({ kind, address, known, ...latest }: DraftOptions) {
  const contract = useContract()
  const queries = useQueryClient()
  const { id: user } = useUser()
  const latestOptions = useRef(latest)
  latestOptions.current = latest
  const state = useRef({ isDirty: false, isFinished: false })
  const [isDirty, setDirty] = useState(false)
  const [autosave] = useState(() =>
    createAutosave(contract, { kind: kind ?? '', address }, known, (id) =>
      latestOptions.current.onCreate(id),
    ),
  )

  const scheduleSave = () => {
    if (kind && !state.current.isFinished) autosave.schedule(latestOptions.current.content())
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
  const latestDiscard = useRef(discard)
  latestDiscard.current = discard
  useEffect(
    () => (isDirty ? markInProgress({ kind, discard: () => latestDiscard.current() }) : undefined),
    [isDirty, kind],
  )
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
    // Leaving without having been asked, as when the session ends, keeps what was typed.
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [autosave, user, kind, address])

  return {
    autosave,
    scheduleSave,
    /** The person changed something. */
    markChanged: () => {
      setDirtyState(true)
      scheduleSave()
    },
    /** Whether leaving would lose what was done here. */
    isDirty: () => state.current.isDirty,
    discard,
    /** Everything is where it belongs: nothing is asked, kept or given up any more. */
    finish: () => finishWith(autosave.stop),
    /** Saves the draft now and lets the person go. */
    saveAndLeave: async () => {
      scheduleSave()
      await autosave.flush()
      await finishWith(autosave.stop)
    },
  }
}

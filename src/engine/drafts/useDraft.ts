import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Values } from '../../contract/when.ts'
import { makeCall, refresh } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { notify } from '../runtime/notices.ts'
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
  const [savedAt, setSavedAt] = useState<Date>()
  const navigate = useNavigate()
  const [autosave] = useState(() =>
    createAutosave(contract, { kind: kind ?? '', address }, known, {
      onCreate: (id) => latestOptions.current.onCreate(id),
      onSave: () => setSavedAt(new Date()),
    }),
  )

  const scheduleSave = () => {
    if (kind && !state.current.isFinished) autosave.schedule(() => latestOptions.current.content())
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
  /** Offers for some seconds what the person has just given up. */
  const offerUndo = (content: DraftContent) => {
    const restore = async () => {
      const body = { kind, address, ...content }
      const { link } = await makeCall<{ link: string }>(contract, 'drafts.create', { body })
      await refresh(contract, queries, 'drafts.update')
      navigate(link)
    }
    const run = () => void restore().catch(() => offerUndo(content))
    notify({ kind: 'success', text: 'What you had begun is given up', action: { label: 'Undo', run } })
  }
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
    /** When the server got what is here; undefined before the first time. */
    savedAt,
    discard,
    /** Gives it up as the person said, who can take that back for some seconds. */
    leave: async () => {
      const content = latestOptions.current.content()
      await discard()
      if (kind) offerUndo(content)
    },
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

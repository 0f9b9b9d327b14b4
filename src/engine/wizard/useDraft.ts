import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Values } from '../../contract/when.ts'
import { refresh } from '../calls.ts'
import { useContract } from '../contract.ts'
import { useUser } from '../user.ts'
import { type DraftContent, type DraftRef, keepDraft } from './keepDraft.ts'
import { begin } from './progress.ts'
import { holdUnsaved } from './unsaved.ts'

interface Given {
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
export function useDraft({ kind, address, known, ...latest }: Given) {
  const contract = useContract()
  const queries = useQueryClient()
  const { id: user } = useUser()
  const given = useRef(latest)
  given.current = latest
  const now = useRef({ isDirty: false, isOver: false })
  const [isDirty, setDirty] = useState(false)
  const [draft] = useState(() =>
    keepDraft(contract, { kind: kind ?? '', address }, known, (id) => given.current.onCreate(id)),
  )

  const keep = () => {
    if (kind && !now.current.isOver) draft.put(given.current.content())
  }
  const setDirtyState = (is: boolean) => {
    now.current.isDirty = is
    setDirty(is)
  }
  const over = async (end: () => Promise<void> | void) => {
    now.current.isOver = true
    setDirtyState(false)
    await end()
    if (kind) await refresh(contract, queries, 'drafts.update')
  }
  const discard = () => over(draft.remove)
  const discarding = useRef(discard)
  discarding.current = discard
  useEffect(
    () => (isDirty ? begin({ kind, discard: () => discarding.current() }) : undefined),
    [isDirty, kind],
  )
  useEffect(() => {
    const hold = () => {
      const { document } = given.current.content().payload
      holdUnsaved({ user, address, draft: draft.id(), document })
    }
    const flush = () => {
      if (now.current.isOver) return
      if (kind) draft.flush().catch(hold)
      else if (now.current.isDirty) hold()
    }
    window.addEventListener('pagehide', flush)
    // Leaving without having been asked, as when the session ends, keeps what was typed.
    return () => {
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [draft, user, kind, address])

  return {
    draft,
    keep,
    /** The person changed something. */
    touch: () => {
      setDirtyState(true)
      keep()
    },
    /** Whether leaving would lose what was done here. */
    isDirty: () => now.current.isDirty,
    discard,
    /** Everything is where it belongs: nothing is asked, kept or given up any more. */
    finish: () => over(draft.stop),
    /** Saves the draft now and lets the person go. */
    saveAndLeave: async () => {
      keep()
      await draft.flush()
      await over(draft.stop)
    },
  }
}

import type { AxiosError } from 'axios'
import { useEffect, useRef, useState } from 'react'
import { isEqual } from '../../contract/isEqual.ts'
import { useSend } from '../../engine/core/calls.ts'
import { type Draft, draftOf, hasSavedDraft, type SavedDraft } from './caseType.ts'
import { describeShapeError } from './describeShapeError.ts'
import { type DraftConflict, draftConflictOf } from './draftConflict.ts'
import { type EditorError, serverErrorsOf } from './editorErrors.ts'

/** Delays of a save after the last change and after a failure, in ms. */
const DEBOUNCE_MS = 600
const RETRY_DELAY_MS = 5000

interface AutosaveOptions {
  id: number
  /** The published version that the draft changes. */
  baseVersion: number
  draft: Draft
  /** False if the draft equals the published version: then no draft is saved. */
  isDirty: boolean
  loaded: SavedDraft
  /** True during a conflict, and while the publish dialog is open or a publication runs. */
  isPaused: boolean
  onConflict: (conflict: DraftConflict) => void
}
/** Why autosave failed: validation errors of the server, or a reason such as no connection. */
interface Failure {
  validationErrors: EditorError[]
  reason: string
}

/** Autosaves the draft on the server after each change, for other administrators and after a closed browser. */
export function useAutosave(options: AutosaveOptions) {
  const { id, baseVersion, draft, isDirty, loaded, isPaused, onConflict } = options
  const saveDraft = useSend<{ rev: number }>('caseTypes.saveDraft')
  const deleteDraft = useSend<void>('caseTypes.deleteDraft')
  const [savedDraft, setSavedDraft] = useState<SavedDraft>(loaded)
  const [state, setState] = useState<'idle' | 'busy' | 'failed' | 'refused'>('idle')
  const [failure, setFailure] = useState<Failure>()
  const unsaved = isDirty ? draftOf(draft) : undefined
  const isSaved = unsaved
    ? hasSavedDraft(savedDraft) && isEqual(draftOf(savedDraft), unsaved)
    : !hasSavedDraft(savedDraft)

  // The running save and the revision it returns; publishing waits for it.
  const pendingSave = useRef<Promise<void>>(undefined)
  const rev = useRef(savedDraft.rev)
  const setSaved = (next: SavedDraft) => {
    rev.current = next.rev
    setSavedDraft(next)
  }

  const send = async () => {
    setState('busy')
    try {
      if (unsaved) {
        const body = { rev: savedDraft.rev, base_version: baseVersion, ...unsaved }
        const reply = await saveDraft.mutateAsync({ params: { id }, body })
        const at = new Date().toISOString()
        setSaved({ ...unsaved, rev: reply.rev, version: reply.rev, base_version: baseVersion, at })
      } else {
        await deleteDraft.mutateAsync({ params: { id } })
        setSaved({ rev: 0, version: savedDraft.version })
      }
      setState('idle')
    } catch (error) {
      const axiosError = error as AxiosError<Record<string, unknown>>
      const conflict = draftConflictOf(axiosError, false)
      const isRefused = axiosError.response?.status === 400
      if (conflict) onConflict(conflict)
      const validationErrors = isRefused && unsaved ? serverErrorsOf(unsaved, axiosError.response?.data) : []
      setFailure({
        validationErrors,
        reason: validationErrors[0]
          ? firstErrorText(unsaved, axiosError.response?.data)
          : reasonOf(axiosError),
      })
      setState(conflict ? 'idle' : isRefused ? 'refused' : 'failed')
    }
  }
  const latestSend = useRef(send)
  latestSend.current = send
  // A rejected draft is not sent again until it changes.
  useEffect(() => setState((before) => (before === 'refused' ? 'idle' : before)), [draft])
  useEffect(() => {
    if (isSaved || isPaused || state === 'busy' || state === 'refused') return
    const save = () => {
      pendingSave.current = latestSend.current()
    }
    const timer = setTimeout(save, state === 'failed' ? RETRY_DELAY_MS : DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [isSaved, isPaused, state, draft])
  return {
    savedDraft,
    isSaved,
    isBusy: state === 'busy',
    failure: state === 'failed' || state === 'refused' ? failure : undefined,
    isRefused: state === 'refused',
    /** Waits for a running save and resolves to the revision of the saved draft. */
    whenSaved: async () => {
      await pendingSave.current
      return rev.current
    },
    /** Replaces the saved draft with one that was saved elsewhere. */
    replaceSaved: (other: SavedDraft) => {
      setSaved({ ...other, version: other.version ?? Math.max(other.rev, savedDraft.version ?? 0) })
      setState('idle')
    },
  }
}

function reasonOf({ response }: AxiosError): string {
  return response ? 'The server answered with an error' : 'The server cannot be reached'
}

/** The first of the field errors with its place in words. */
function firstErrorText(draft: Draft | undefined, errors: Record<string, unknown> = {}): string {
  const [key, messages] = Object.entries(errors).find(([, one]) => Array.isArray(one)) ?? ['', []]
  const path = key.split('.').map((part) => (/^\d+$/.test(part) ? Number(part) : part))
  return describeShapeError(draft, path, String((messages as unknown[])[0]))
}

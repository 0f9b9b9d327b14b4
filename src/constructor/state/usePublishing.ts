import type { AxiosError } from 'axios'
import { useRef, useState } from 'react'
import { useSend } from '../../engine/core/calls.ts'
import { notify } from '../../engine/core/notices.ts'
import { type CaseType, type Draft, draftOf } from './caseType.ts'
import { type DraftConflict, draftConflictOf } from './draftConflict.ts'
import { type EditorError, serverErrorsOf } from './editorErrors.ts'

interface PublishOptions {
  draft: Draft
  onPublished: (published: CaseType) => void
  onConflict: (conflict: DraftConflict) => void
}

/** The value of one record for a field that takes its answer over; null: none. */
export interface DecidedAnswer {
  entity: 'case' | 'issue'
  id: number
  name: string
  /** The answer that it is for: should it change meanwhile, it is evaluated again. */
  was: unknown
  value: unknown
}

/** What the administrator says with a publication. */
export interface Publication {
  note: string
  /** The reason for publishing although tests fail; '' if none fails. */
  anyway: string
  /** Names of the automations that notify people and plan steps for the records for which they begin to hold. */
  firing: string[]
  /** Values that the administrator chose for single records whose answers do not fit. */
  decided?: DecidedAnswer[]
}

/** Publishes a draft based on a version and a draft revision, and stores the server's validation errors. */
export function usePublishing({ draft, onPublished, onConflict }: PublishOptions) {
  const send = useSend<CaseType>('caseTypes.update')
  const isPublishing = useRef(false)
  const [busy, setBusy] = useState(false)
  const [refusedDraft, setRefusedDraft] = useState<{ draft: Draft; errors: EditorError[] }>()

  /** Resolves to true if the server published, or rejected with errors or a conflict that the editor then shows. */
  async function publish(
    on: { id: number; version: number; rev: number },
    { note, anyway, firing, decided = [] }: Publication,
  ): Promise<boolean> {
    if (isPublishing.current) return false
    isPublishing.current = true
    setBusy(true)
    setRefusedDraft(undefined)
    try {
      const body = {
        ...draftOf(draft),
        version: on.version,
        rev: on.rev,
        note,
        ...(anyway && { publish_anyway: anyway }),
        ...(firing.length > 0 && { fire_events: firing }),
        ...(decided.length > 0 && { decided }),
      }
      const published = await send.mutateAsync({ params: { id: on.id }, body })
      onPublished(published)
      notify({ kind: 'success', text: `Published as version ${published.version}` })
      return true
    } catch (error) {
      const failure = error as AxiosError<Record<string, unknown>>
      const conflict = draftConflictOf(failure, true)
      if (conflict) onConflict(conflict)
      const isRefused = failure.response?.status === 400
      if (isRefused) setRefusedDraft({ draft, errors: serverErrorsOf(draft, failure.response?.data) })
      return isRefused || conflict !== undefined
    } finally {
      isPublishing.current = false
      // Only after the new version is in state, so that it does not count as published by somebody else.
      setBusy(false)
    }
  }
  return {
    publish,
    busy,
    // The errors apply only to the draft that was rejected.
    serverErrors: refusedDraft && isSameDraft(refusedDraft.draft, draft) ? refusedDraft.errors : [],
  }
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    a.case_meta === b.case_meta &&
    a.issue_meta === b.issue_meta &&
    a.tests === b.tests &&
    a.automations === b.automations &&
    a.deadlines === b.deadlines &&
    a.label.trim() === b.label.trim()
  )
}

import type { AxiosError } from 'axios'
import { useRef, useState } from 'react'
import { useSend } from '../../engine/runtime/calls.ts'
import { notify } from '../../engine/runtime/notices.ts'
import { type CaseType, type Draft, draftOf } from '../caseType.ts'
import { type EditorError, serverErrorsOf } from '../editorErrors.ts'
import { type DraftConflict, draftConflictOf } from './draftConflict.ts'

interface PublishOptions {
  draft: Draft
  onPublished: (published: CaseType) => void
  onConflict: (conflict: DraftConflict) => void
}

/** Publishes a draft on top of a version and a draft revision, and keeps the server's validation errors. */
export function usePublishing({ draft, onPublished, onConflict }: PublishOptions) {
  const send = useSend<CaseType>('caseTypes.update')
  const isPublishing = useRef(false)
  const [busy, setBusy] = useState(false)
  const [refusedDraft, setRefusedDraft] = useState<{ draft: Draft; errors: EditorError[] }>()

  async function publish(
    on: { id: number; version: number; rev: number },
    note: string,
    anyway: string,
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
      }
      const published = await send.mutateAsync({ params: { id: on.id }, body })
      onPublished(published)
      notify({ kind: 'success', text: `Published as version ${published.version}` })
      return true
    } catch (error) {
      const failure = error as AxiosError<Record<string, unknown>>
      const conflict = draftConflictOf(failure, true)
      if (conflict) onConflict(conflict)
      if (failure.response?.status === 400)
        setRefusedDraft({ draft, errors: serverErrorsOf(draft, failure.response.data) })
      return false
    } finally {
      isPublishing.current = false
      // Only after the new version is in state, so that it is not taken for somebody else's.
      setBusy(false)
    }
  }
  return {
    publish,
    busy,
    // Another draft is not the one that was refused.
    serverErrors: refusedDraft && isSameDraft(refusedDraft.draft, draft) ? refusedDraft.errors : [],
  }
}

function isSameDraft(a: Draft, b: Draft): boolean {
  return (
    a.case_meta === b.case_meta &&
    a.issue_meta === b.issue_meta &&
    a.tests === b.tests &&
    a.label.trim() === b.label.trim()
  )
}

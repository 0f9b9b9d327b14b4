import type { AxiosError } from 'axios'
import { useRef, useState } from 'react'
import { useSend } from '../../engine/calls.ts'
import { notify } from '../../engine/notices.ts'
import { type CaseType, type Draft, draftOf } from '../caseType.ts'
import { type Found, refusalsOf } from '../found.ts'
import { type DraftConflict, draftConflictOf } from './clash.ts'

interface Given {
  draft: Draft
  onPublished: (published: CaseType) => void
  onConflict: (conflict: DraftConflict) => void
}

/** Publishes a draft on top of a version and a revision of what is kept, and holds what the server has against it. */
export function usePublishing({ draft, onPublished, onConflict }: Given) {
  const send = useSend<CaseType>('caseTypes.update')
  const going = useRef(false)
  const [busy, setBusy] = useState(false)
  const [refused, setRefused] = useState<{ draft: Draft; found: Found[] }>()

  async function publish(on: { id: number; version: number; rev: number }, note: string): Promise<boolean> {
    if (going.current) return false
    going.current = true
    setBusy(true)
    setRefused(undefined)
    try {
      const body = { ...draftOf(draft), version: on.version, rev: on.rev, note }
      const published = await send.mutateAsync({ params: { id: on.id }, body })
      onPublished(published)
      notify({ kind: 'success', text: `Published as version ${published.version}` })
      return true
    } catch (error) {
      const failure = error as AxiosError<Record<string, unknown>>
      const conflict = draftConflictOf(failure, true)
      if (conflict) onConflict(conflict)
      if (failure.response?.status === 400)
        setRefused({ draft, found: refusalsOf(draft, failure.response.data) })
      return false
    } finally {
      going.current = false
      // With what was published, not before it: until then everything new is of this call.
      setBusy(false)
    }
  }
  return {
    publish,
    busy,
    // Another draft is not the one that was refused.
    refusals: refused && draftsAre(refused.draft, draft) ? refused.found : [],
  }
}

function draftsAre(a: Draft, b: Draft): boolean {
  return a.case_meta === b.case_meta && a.issue_meta === b.issue_meta && a.label.trim() === b.label.trim()
}

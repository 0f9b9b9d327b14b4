import { useEffect, useRef } from 'react'
import { formatDateTime } from '../../engine/cells/dates.ts'
import { dayOf, zonedFormat } from '../../engine/runtime/timeZone.ts'
import { type CaseType, hasSavedDraft, type SavedDraft } from '../caseType.ts'
import type { DraftConflict } from './draftConflict.ts'

interface RemoteChangeOptions {
  /** As they were read last; undefined while they are read anew. */
  latest: { type: CaseType; draft: SavedDraft } | undefined
  /** What is published as far as it is known here. */
  version: number
  savedDraft: SavedDraft
  /** Nothing of mine waits to be kept or to be decided. */
  isSaved: boolean
  /** Something of mine is on its way, or about to be published. */
  isPaused: boolean
  onRemoteChange: (type: CaseType, draft: SavedDraft) => void
  onConflict: (conflict: DraftConflict) => void
}

/** Applies what others published or saved while this was open; if own changes would be lost, it is a conflict. */
export function useRemoteChanges({
  latest,
  version,
  savedDraft,
  isSaved,
  isPaused,
  onRemoteChange,
  onConflict,
}: RemoteChangeOptions): void {
  const handled = useRef('')
  useEffect(() => {
    if (!latest || isPaused) return
    const { type, draft } = latest
    const isPublished = type.version > version
    const isChanged = draft.rev !== savedDraft.rev && (draft.version ?? 0) > (savedDraft.version ?? 0)
    const what = `${type.version} ${draft.version}`
    if ((!isPublished && !isChanged) || handled.current === what) return
    handled.current = what
    const { by, at } = draft
    if (isSaved) onRemoteChange(type, draft)
    else if (isPublished) onConflict({ about: 'published', theirs: type, draft, by, at, isAwaited: false })
    else onConflict({ about: 'draft', theirs: draft, by, at, isAwaited: false })
  })
}

/** "Changed by Ann Lee at 10:42": the line that tells what was taken in. */
export function describeRemoteChange(
  version: number,
  type: CaseType,
  draft: SavedDraft,
  now = new Date(),
): string {
  const by = draft.by ? ` by ${draft.by}` : ''
  const at = draft.at ? timeText(draft.at, now) : ''
  if (type.version > version && !hasSavedDraft(draft))
    return `Version ${type.version} was published${by}${at}.`
  return hasSavedDraft(draft) ? `Changed${by}${at}.` : `The draft was discarded${by}${at}.`
}

const clock = zonedFormat('en-GB', { hour: '2-digit', minute: '2-digit' })

/** The time alone where it was today. */
function timeText(at: string, now: Date): string {
  const date = new Date(at)
  return dayOf(date) === dayOf(now) ? ` at ${clock(date)}` : ` on ${formatDateTime(at)}`
}

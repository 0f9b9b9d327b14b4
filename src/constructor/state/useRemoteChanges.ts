import { useEffect, useRef } from 'react'
import { formatDateTime } from '../../engine/core/dates.ts'
import { dayOf, zonedFormat } from '../../engine/core/timeZone.ts'
import { type CaseType, hasSavedDraft, type SavedDraft } from './caseType.ts'
import type { DraftConflict } from './draftConflict.ts'

interface RemoteChangeOptions {
  /** The latest responses; undefined while they are refetched. */
  latest: { type: CaseType; draft: SavedDraft } | undefined
  /** The latest published version known to the editor. */
  version: number
  savedDraft: SavedDraft
  /** No local change is unsaved and no conflict is open. */
  isSaved: boolean
  /** True while saving or publishing, or while the publish dialog is open. */
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

/** "Changed by Ann Lee at 10:42": describes a remote change that was applied. */
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

/** ' at 10:42' if it was today, else ' on 4 June 2026, 10:42'. */
export function timeText(at: string, now = new Date()): string {
  const date = new Date(at)
  return dayOf(date) === dayOf(now) ? ` at ${clock(date)}` : ` on ${formatDateTime(at)}`
}

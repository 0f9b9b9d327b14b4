import type { AxiosError } from 'axios'
import { type CaseType, type Draft, draftOf, hasSavedDraft, type SavedDraft } from './caseType.ts'

/**
 * A conflict with what somebody else published or saved; `at` is ISO with zone. A published conflict includes the
 * others' current draft.
 */
export type DraftConflict = { by?: string; at?: string; isAwaited: boolean } & (
  | { about: 'published'; theirs: CaseType; draft: SavedDraft }
  | { about: 'draft'; theirs: SavedDraft }
)

/** The conflict that a failed request reports, or undefined. `isAwaited`: the person is waiting for that request. */
export function draftConflictOf(
  { response }: AxiosError<Record<string, unknown>>,
  isAwaited: boolean,
): DraftConflict | undefined {
  const { code, about, current, draft, by, at } = response?.data ?? {}
  if (response?.status !== 409 || code !== 'conflict' || !current) return undefined
  const who = { isAwaited, ...(by ? { by: String(by), at: String(at) } : {}) }
  return about === 'draft'
    ? { ...who, about, theirs: current as SavedDraft }
    : { ...who, about: 'published', theirs: current as CaseType, draft: (draft ?? { rev: 0 }) as SavedDraft }
}

/** The others' current draft of the case type; `base` is the version published before. */
export function theirDraftOf(conflict: DraftConflict, base: CaseType): Draft {
  const saved = conflict.about === 'published' ? conflict.draft : conflict.theirs
  if (hasSavedDraft(saved)) return draftOf(saved)
  return draftOf(conflict.about === 'published' ? conflict.theirs : base)
}

/** True if somebody discarded the saved draft; only a person can decide how to merge that with own changes. */
export function isDiscarded(conflict: DraftConflict): boolean {
  return conflict.about === 'draft' && !hasSavedDraft(conflict.theirs)
}

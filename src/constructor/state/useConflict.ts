import { useLayoutEffect, useMemo, useState } from 'react'
import type { Side } from '../../contract/caseType/mergeForms.ts'
import { mergeByChoices } from '../forms/mergeConflicts.ts'
import { type CaseType, type Draft, draftOf, hasSavedDraft, type SavedDraft } from './caseType.ts'
import { type DraftConflict, isDiscarded, theirDraftOf } from './draftConflict.ts'
import type { useAutosave } from './useAutosave.ts'
import type { useBase } from './useBase.ts'
import type { useDraftHistory } from './useDraftHistory.ts'
import { describeRemoteChange } from './useRemoteChanges.ts'

interface ConflictOptions {
  conflict: DraftConflict | undefined
  setConflict: (conflict: DraftConflict | undefined) => void
  versions: ReturnType<typeof useBase>
  history: ReturnType<typeof useDraftHistory>
  autosave: ReturnType<typeof useAutosave>
}

/**
 * Resolves a conflict with what others published or saved: merges automatically if it can, else waits for a decision.
 */
export function useConflict({ conflict, setConflict, versions, history, autosave }: ConflictOptions) {
  const { base, baseVersion } = versions
  const { draft } = history
  const { savedDraft } = autosave
  const notice = useNotice(draft)
  /** Base of the three-way merge; undefined if the draft is based on a version that is not known here any more. */
  const common = useMemo(() => {
    if (conflict?.about !== 'published') return draftOf(hasSavedDraft(savedDraft) ? savedDraft : base)
    return base.version === baseVersion ? draftOf(base) : undefined
  }, [conflict, savedDraft, base, baseVersion])
  // Merge automatically only without conflicting changes, and never onto a newly published version.
  const needsDecision = useMemo(() => {
    if (!conflict || !common || conflict.about === 'published' || isDiscarded(conflict)) return true
    const theirs = theirDraftOf(conflict, base)
    return mergeByChoices({ base: common, mine: draftOf(draft), theirs }).conflicts.length > 0
  }, [conflict, base, common, draft])

  /** Replaces everything here with what others published or saved. */
  const adopt = (type: CaseType, saved: SavedDraft) => {
    setConflict(undefined)
    versions.adopt(type, saved)
    history.start(hasSavedDraft(saved) ? saved : type)
    autosave.replaceSaved(saved)
  }
  const adoptRemote = (type: CaseType, saved: SavedDraft) => {
    adopt(type, saved)
    notice.show(describeRemoteChange(base.version, type, saved))
  }
  const keepMine = (conflict: DraftConflict) => {
    setConflict(undefined)
    if (conflict.about === 'draft') return autosave.replaceSaved(conflict.theirs)
    versions.rebase(conflict.theirs)
    autosave.replaceSaved(conflict.draft)
  }
  const takeTheirs = (conflict: DraftConflict) =>
    conflict.about === 'published' ? adopt(conflict.theirs, conflict.draft) : adopt(base, conflict.theirs)
  const mergeConflict = (conflict: DraftConflict, choices: Record<string, Side> = {}) => {
    const theirs = theirDraftOf(conflict, base)
    if (!common) return
    const { merged } = mergeByChoices({ base: common, mine: draftOf(draft), theirs }, choices)
    keepMine(conflict)
    // Restart the history, because undo would also revert the others' changes.
    history.start(merged)
    const [type, saved] =
      conflict.about === 'published' ? [conflict.theirs, conflict.draft] : [base, conflict.theirs]
    const words = describeRemoteChange(base.version, type, { ...saved, by: conflict.by, at: conflict.at })
    notice.show(`${words} Your changes are merged with theirs.`)
  }
  useLayoutEffect(() => {
    if (conflict && !needsDecision) mergeConflict(conflict)
  })
  return {
    /** The conflict that a person must decide. */
    conflict: needsDecision ? conflict : undefined,
    common,
    remoteChange: notice.words,
    adoptRemote,
    keepMine,
    takeTheirs,
    mergeConflict,
  }
}

/** A notice about a change by others, which disappears with the next local change. */
function useNotice(draft: Draft) {
  const [notice, setNotice] = useState<{ words: string; draft?: Draft }>()
  if (notice && !notice.draft) setNotice({ ...notice, draft })
  else if (notice && notice.draft !== draft) setNotice(undefined)
  return { words: notice?.words, show: (words: string) => setNotice({ words }) }
}

import { useState } from 'react'
import { type CaseType, hasSavedDraft, type SavedDraft } from './caseType.ts'

/**
 * The latest known published version, and the number of the one that the draft is based on. A saved draft may be based
 * on an older version, and publishing it then shows the conflict.
 */
export function useBase(loaded: CaseType, loadedDraft: SavedDraft) {
  const versionOf = (type: CaseType, draft: SavedDraft) =>
    hasSavedDraft(draft) ? draft.base_version : type.version
  const [base, setBase] = useState(loaded)
  const [baseVersion, setBaseVersion] = useState(() => versionOf(loaded, loadedDraft))
  return {
    base,
    baseVersion,
    /** Bases the draft on a published version. */
    rebase: (type: CaseType) => {
      setBase(type)
      setBaseVersion(type.version)
    },
    /** Takes over a published version with the saved draft of it. */
    adopt: (type: CaseType, draft: SavedDraft) => {
      setBase(type)
      setBaseVersion(versionOf(type, draft))
    },
  }
}

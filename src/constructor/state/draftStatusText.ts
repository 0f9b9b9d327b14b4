import { hasSavedDraft } from './caseType.ts'
import type { EditorState } from './useEditor.ts'
import { timeText } from './useRemoteChanges.ts'

type DraftStatus = Pick<
  EditorState,
  'base' | 'isDirty' | 'autosave' | 'conflict' | 'isPublishDialogOpen' | 'remoteChange'
>

/** The status line: changes by others, unpublished changes, and whether they are saved. */
export function draftStatusText(editor: DraftStatus): string {
  return [editor.remoteChange, saveStateText(editor)].filter(Boolean).join(' ')
}

function saveStateText({ base, isDirty, autosave, conflict, isPublishDialogOpen }: DraftStatus): string {
  const { savedDraft, isSaved, failure, isRefused } = autosave
  if (conflict) return 'Nothing is saved before you choose between theirs and yours.'
  if (isRefused) return `The draft is not saved: ${failure?.reason}.`
  if (failure) return `The draft could not be saved; it is tried again. ${failure.reason}.`
  if (!isSaved) return isPublishDialogOpen ? 'Your last change is not saved yet.' : 'Saving the draft…'
  if (!isDirty || !hasSavedDraft(savedDraft)) {
    return base.version > 0 ? 'Everything is published.' : 'There is nothing in it yet.'
  }
  const moment = savedDraft.at ? timeText(savedDraft.at) : ''
  return `Draft, not published: saved${moment}${savedDraft.by ? ` by ${savedDraft.by}` : ''}.`
}

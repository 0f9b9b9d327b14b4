import { Button, Callout } from '@blueprintjs/core'
import { type ReactElement, useEffect, useRef } from 'react'
import { formatDateTime } from '../../engine/cells/dates.ts'
import { hasSavedDraft } from '../caseType.ts'
import { Disclosure } from '../Disclosure.tsx'
import type { EditorState } from '../useEditor.ts'
import { Differences } from './Differences.tsx'
import type { DraftConflict } from './draftConflict.ts'

/** Asks whether to keep own changes or take those of somebody else; nothing is lost before the answer. */
export function Conflict({
  conflict,
  editor,
}: {
  conflict: DraftConflict
  editor: EditorState
}): ReactElement {
  const { by, at } = conflict
  const box = useRef<HTMLDivElement>(null)
  // A conflict that nobody waited for must not take the focus away from typing.
  const { isAwaited } = conflict
  useEffect(() => {
    if (isAwaited) box.current?.focus()
  }, [isAwaited])
  const theirDraft =
    conflict.about === 'published'
      ? hasSavedDraft(conflict.draft)
        ? conflict.draft
        : conflict.theirs
      : hasSavedDraft(conflict.theirs)
        ? conflict.theirs
        : editor.base
  return (
    <div ref={box} tabIndex={-1} role="alert">
      <Callout intent="warning" title={`Changed by ${by ?? 'somebody else'} since you opened it`}>
        <p>
          {conflictText(conflict, at && formatDateTime(at))} Take theirs and your changes are gone, or keep
          yours and theirs are replaced
          {conflict.about === 'published' ? '; their version stays in the history.' : '.'}
        </p>
        <Disclosure summary="What differs">
          <Differences before={theirDraft} after={editor.history.draft} heads={['Theirs', 'Yours']} />
        </Disclosure>
        <div className="constructor-buttons">
          <Button text="Take theirs" onClick={() => editor.takeTheirs(conflict)} />
          <Button intent="warning" text="Keep mine" onClick={() => editor.keepMine(conflict)} />
        </div>
      </Callout>
    </div>
  )
}

function conflictText(conflict: DraftConflict, moment: string | undefined): string {
  if (conflict.about === 'published') {
    return `Version ${conflict.theirs.version} was published${moment ? ` on ${moment}` : ''}.`
  }
  return hasSavedDraft(conflict.theirs)
    ? `The draft was changed${moment ? ` on ${moment}` : ''}.`
    : 'The draft was discarded.'
}

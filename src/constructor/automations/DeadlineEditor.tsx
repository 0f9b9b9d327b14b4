import { type ReactElement, useMemo } from 'react'
import { isFieldOfKind, type PathKind } from '../../contract/deadlines/deadlinePaths.ts'
import type { Deadline } from '../../contract/generated.ts'
import { recordFields } from '../../contract/meta/recordFields.ts'
import { TextSetting } from '../controls/TextSetting.tsx'
import { messagesInDefinition } from '../state/editorErrors.ts'
import type { EditorState } from '../state/useEditor.ts'
import { DeadlineConditions } from './DeadlineConditions.tsx'
import { DeadlineMetBy } from './DeadlineMetBy.tsx'
import { DeadlineNotices, type NoticesProps } from './DeadlineNotices.tsx'
import { DueRow, EndsRow, WarnsRow } from './DeadlineRows.tsx'
import { DefinitionFrame } from './DefinitionFrame.tsx'
import type { DeadlinePart } from './deadlinePart.ts'
import { SentenceRow } from './OutcomeRow.tsx'
import type { DefinitionEdits } from './useDefinitionEdits.ts'

interface Props {
  deadline: Deadline
  editor: EditorState
  edits: DefinitionEdits<'deadlines'>
  /** Automations notify people of a deadline: these props list and edit them. */
  notices: NoticesProps
}

/** A deadline as one sentence of pickers: when it is due, what meets it, and when it is paused. */
export function DeadlineEditor({ deadline, editor, edits, notices }: Props): ReactElement {
  const { name, label, of } = deadline
  const { case_meta, issue_meta } = editor.history.draft
  const reach = useMemo(() => recordFields(of, { case_meta, issue_meta }), [of, case_meta, issue_meta])
  const choicesOf = (kind: PathKind) =>
    [...reach.values()]
      .filter((field) => isFieldOfKind(field, kind))
      .map((field) => ({ value: field.name, label: field.label }))
  const part: DeadlinePart = {
    deadline,
    dates: choicesOf('date'),
    numbers: choicesOf('number'),
    reach,
    messagesAt: (at) => messagesInDefinition(editor.errors, { list: 'deadlines', name }, at),
    change: edits.change,
    announce: editor.announce,
  }
  return (
    <div className="automation">
      <DefinitionFrame definition={deadline} edits={edits}>
        <TextSetting
          label="Name"
          maxLength={100}
          value={label}
          messages={part.messagesAt('label')}
          onChange={(text) => edits.change({ ...deadline, label: text }, 'Name', true)}
        />
        <DueRow {...part} />
        <DeadlineMetBy {...part} />
        <WarnsRow {...part}>
          <DeadlineNotices {...notices} deadline={deadline} state="soon" />
        </WarnsRow>
        <SentenceRow title="late">
          <DeadlineNotices {...notices} deadline={deadline} state="late" />
        </SentenceRow>
        <DeadlineConditions {...part} />
        <EndsRow {...part} />
      </DefinitionFrame>
    </div>
  )
}

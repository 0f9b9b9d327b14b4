import { Button, Callout, Classes } from '@blueprintjs/core'
import { type ReactElement, useId, useState } from 'react'
import { Link } from 'react-router-dom'
import type { Problem } from '../contract/locate.ts'
import { pluralise } from '../contract/pluralise.ts'
import { STATUS } from '../contract/status.ts'
import { loadable } from '../engine/core/loadable.tsx'
import { withStyle } from '../engine/core/loadStyle.ts'
import { useLookup } from '../engine/core/lookups.ts'
import { Messages } from './controls/Messages.tsx'
import { CopyFieldsButton } from './copy/CopyFieldsButton.tsx'
import { DiscardButton } from './publish/DiscardButton.tsx'
import { ExportButton } from './publish/ExportButton.tsx'
import { ImportButton } from './publish/ImportButton.tsx'
import { ImportErrors } from './publish/ImportErrors.tsx'
import { ReplaceButton } from './replace/ReplaceButton.tsx'
import { type CaseTypeUsage, UNCOUNTED } from './state/caseType.ts'
import { draftStatusText } from './state/draftStatusText.ts'
import type { EditorState } from './state/useEditor.ts'

const HistoryDialog = loadable(() => import('./publish/HistoryDialog.tsx'))
const InWordsDialog = loadable(() => import('./words/InWordsDialog.tsx'))
const OnPaperDialog = loadable(() => withStyle('paper', import('./words/OnPaperDialog.tsx')))

const NO_IMPORT = { problems: [], isTaken: false }

interface Props {
  editor: EditorState
  usage: CaseTypeUsage
  /** Number of open comments on its fields; undefined until it is counted. */
  comments: number | undefined
  /** Called after the case type was deleted. */
  onDeleted: () => void
}

/** Header of the editor: name and usage of the case type, the toolbar and messages about imports. */
export function Header({ editor, usage, comments, onDeleted }: Props): ReactElement {
  const { base, history, publishing, recount } = editor
  const name = useId()
  const [importErrors, setImportErrors] = useState<{ problems: Problem[]; isTaken: boolean }>(NO_IMPORT)
  const [isHistoryOpen, setHistoryOpen] = useState(false)
  const [isInWordsOpen, setInWordsOpen] = useState(false)
  const [isOnPaperOpen, setOnPaperOpen] = useState(false)
  const service = useLookup('services')?.find((item) => item.value === base.service)?.label
  const facts = [
    service,
    base.version > 0 ? `Version ${base.version}` : 'Not published yet',
    editor.status === STATUS.retired && 'Retired',
    recount ? 'Who uses it could not be counted' : base.version > 0 && usageText(usage),
  ]
  return (
    <header className="constructor-header">
      <div className="constructor-heading">
        <h1 className="heading visually-hidden">{base.label}</h1>
        <label className="visually-hidden" htmlFor={name}>
          Name of the case type
        </label>
        <input
          id={name}
          className={`${Classes.INPUT} constructor-label`}
          maxLength={200}
          autoComplete="off"
          value={history.draft.label}
          aria-invalid={editor.nameMessages.length > 0}
          aria-describedby={editor.nameMessages.length > 0 ? `${name}-error` : undefined}
          onChange={(event) => history.rename(event.currentTarget.value)}
        />
        <p className="constructor-facts">
          {facts.filter(Boolean).join(' · ')}
          {' · '}
          <Link to={`/dashboard/module-constructor/${base.id}/comments`}>
            {comments ? pluralise(comments, 'open comment') : 'Comments'}
          </Link>{' '}
          {recount && (
            <Button size="small" variant="minimal" icon="refresh" text="Count again" onClick={recount} />
          )}
        </p>
        <Messages id={`${name}-error`} messages={editor.nameMessages} />
      </div>
      <div className="constructor-toolbar">
        <Button
          icon="undo"
          aria-label="Undo"
          title="Undo"
          aria-disabled={!history.canUndo}
          onClick={history.undo}
        />
        <Button
          icon="redo"
          aria-label="Redo"
          title="Redo"
          aria-disabled={!history.canRedo}
          onClick={history.redo}
        />
        <Button icon="history" text="History" aria-haspopup="dialog" onClick={() => setHistoryOpen(true)} />
        <Button
          icon="align-left"
          text="In words"
          aria-haspopup="dialog"
          onClick={() => setInWordsOpen(true)}
        />
        <Button icon="print" text="On paper" aria-haspopup="dialog" onClick={() => setOnPaperOpen(true)} />
        <ReplaceButton editor={editor} />
        {editor.tab !== 'automations' && <CopyFieldsButton editor={editor} />}
        <ImportButton
          editor={editor}
          onErrors={(problems, isTaken) => setImportErrors({ problems, isTaken })}
        />
        <ExportButton editor={editor} />
        <Button
          icon="send-message"
          intent="primary"
          text="Publish…"
          aria-disabled={editor.conflict !== undefined || usage === UNCOUNTED}
          aria-haspopup={editor.isDirty || base.version === 0 ? 'dialog' : undefined}
          loading={publishing.busy}
          aria-busy={publishing.busy}
          onClick={editor.askToPublish}
        />
        <p className="constructor-status" role="status">
          {draftStatusText(editor)}
        </p>
        <DiscardButton editor={editor} onDeleted={onDeleted} />
      </div>
      {editor.replacement && (
        <Callout className="constructor-refused" intent="success" compact>
          <div className="constructor-buttons">
            {editor.replacement}
            <Button size="small" text="Undo" aria-label="Undo the replacement" onClick={history.undo} />
          </div>
        </Callout>
      )}
      {importErrors.problems.length > 0 && (
        <ImportErrors {...importErrors} onClose={() => setImportErrors(NO_IMPORT)} />
      )}
      {isInWordsOpen && <InWordsDialog editor={editor} onClose={() => setInWordsOpen(false)} />}
      {isOnPaperOpen && <OnPaperDialog editor={editor} onClose={() => setOnPaperOpen(false)} />}
      {isHistoryOpen && <HistoryDialog editor={editor} onClose={() => setHistoryOpen(false)} />}
    </header>
  )
}

function usageText(usage: CaseTypeUsage): string {
  if (usage === UNCOUNTED) return 'Counting who uses it…'
  return `${pluralise(usage.cases, 'case')} and ${pluralise(usage.issues, 'issue')} use it`
}

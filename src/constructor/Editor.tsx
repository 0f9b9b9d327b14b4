import { Button, Classes, Tab, Tabs } from '@blueprintjs/core'
import { type ReactElement, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { MetaName } from '../contract/meta/metaTypes.ts'
import { UnsavedGuard } from '../engine/drafts/UnsavedGuard.tsx'
import { loadable } from '../engine/page/loadable.tsx'
import { type CaseType, type CaseTypeUsage, FORMS, type SavedDraft } from './caseType.ts'
import { EditorContext } from './editorContext.ts'
import type { EditorError } from './editorErrors.ts'
import { Header } from './Header.tsx'
import { PreviewPane } from './preview/PreviewPane.tsx'
import { Conflict } from './publish/Conflict.tsx'
import { Settings } from './settings/Settings.tsx'
import { Structure } from './structure/Structure.tsx'
import { FormTests } from './tests/FormTests.tsx'
import { useEditor } from './useEditor.ts'

const FIELDS = 'input, textarea, select, [contenteditable]'

const PublishDialog = loadable(() => import('./publish/PublishDialog.tsx'))

/** Where case types are listed. */
export const LIST = '/dashboard/module-constructor'

const PANES = { structure: 'Structure', settings: 'Settings', preview: 'Preview' }

interface Props {
  loaded: CaseType
  usage: CaseTypeUsage
  draft: SavedDraft
  /** The case type or its draft is being read anew. */
  isReading: boolean
}

/** The three panes with what stands above them. */
export function Editor(props: Props): ReactElement {
  const { loaded, usage } = props
  const editor = useEditor(props)
  const { editorContext, history } = editor
  const [group, ...names] = editorContext.selection.address
  const root = useRef<HTMLDivElement>(null)
  const [visited, setVisited] = useState<MetaName[]>([editorContext.meta])
  if (!visited.includes(editorContext.meta)) setVisited([...visited, editorContext.meta])
  const [isDeleted, setDeleted] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    if (isDeleted) navigate(LIST)
  }, [isDeleted, navigate])
  useUndoKeys(root, history.undo, history.redo)
  return (
    <div className="constructor" ref={root}>
      <Header editor={editor} usage={usage} onDeleted={() => setDeleted(true)} />
      {editor.conflict && <Conflict conflict={editor.conflict} editor={editor} />}
      {editor.listedErrors.length > 0 && (
        <EditorErrorSummary
          errors={editor.listedErrors}
          number={editor.attempts}
          onGo={editor.goTo}
          labelOf={editor.labelOf}
        />
      )}
      <div className="constructor-forms">
        <Tabs
          id="constructor"
          selectedTabId={editorContext.meta}
          onChange={(meta) => editor.showForm(meta as MetaName)}
        >
          {FORMS.map(({ meta, title }) => (
            <Tab key={meta} id={meta} title={title} />
          ))}
        </Tabs>
      </div>
      {/* The ids that the tabs of the library name. */}
      <div
        className="constructor-form"
        role="tabpanel"
        id={`${Classes.TAB_PANEL}_constructor_${editorContext.meta}`}
        aria-labelledby={`${Classes.TAB}-title_constructor_${editorContext.meta}`}
      >
        <div className="constructor-switch">
          {Object.entries(PANES).map(([pane, title]) => (
            <Button
              key={pane}
              text={title}
              aria-pressed={editor.pane === pane}
              active={editor.pane === pane}
              onClick={() => editor.showPane(pane as keyof typeof PANES)}
            />
          ))}
        </div>
        <FormTests
          draft={history.draft}
          service={loaded.service}
          editTests={history.editTests}
          announce={editorContext.announce}
          onGo={(meta, address) => editor.goTo({ meta, address })}
        />
        <div className="constructor-panes" data-pane={editor.pane}>
          <Structure key={editorContext.meta} editorContext={editorContext} />
          <EditorContext value={editorContext}>
            <Settings />
          </EditorContext>
          {FORMS.filter(({ meta }) => visited.includes(meta)).map(({ meta }) => (
            <PreviewPane
              key={meta}
              meta={meta}
              groups={history.draft[meta]}
              service={loaded.service}
              tests={history.draft.tests}
              editTests={history.editTests}
              hidden={meta !== editorContext.meta}
              group={meta === editorContext.meta ? group : undefined}
              path={meta === editorContext.meta ? names.join('.') : ''}
            />
          ))}
        </div>
      </div>
      <div className="visually-hidden" role="status">
        {editor.announcement}
      </div>
      {editor.isPublishDialogOpen && <PublishDialog editor={editor} usage={usage} />}
      <UnsavedGuard when={!editor.autosave.isSaved && !isDeleted} />
    </div>
  )
}

interface EditorErrorSummaryProps {
  errors: EditorError[]
  /** Another number is another try to save. */
  number: number
  onGo: (error: EditorError) => void
  labelOf: (error: EditorError) => string | undefined
}

/** Everything that keeps the forms from being saved, with the way to each; takes the focus at every try. */
function EditorErrorSummary({ errors, number, onGo, labelOf }: EditorErrorSummaryProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const heading = useId()
  useEffect(() => box.current?.focus(), [number])
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={heading}>
      <h2 id={heading}>There is a problem</h2>
      <ul>
        {errors.map((error) => (
          <li key={`${error.meta} ${error.address.join('.')} ${error.at} ${error.message}`}>
            {error.address.length > 0 ? (
              <button type="button" className="constructor-link" onClick={() => onGo(error)}>
                {withLabel(error, labelOf(error))}
              </button>
            ) : (
              error.message
            )}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The message, with what it is about in front where it does not say so itself. */
function withLabel({ message }: EditorError, label: string | undefined): string {
  return !label?.trim() || message.includes(`'${label}'`) ? message : `${label}: ${message}`
}

/** Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo; not in fields of other parts, nor in those that hold their own text. */
function useUndoKeys(root: RefObject<HTMLElement | null>, undo: () => void, redo: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      const field = event.target instanceof Element ? event.target.closest(FIELDS) : null
      if (field && (!root.current?.contains(field) || field.closest('[data-own-text]'))) return
      event.preventDefault()
      if (key === 'z' && !event.shiftKey) undo()
      else redo()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [root, undo, redo])
}

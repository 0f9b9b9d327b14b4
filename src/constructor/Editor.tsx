import { Button, Classes, Tab, Tabs } from '@blueprintjs/core'
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { MetaName } from '../contract/meta/metaTypes.ts'
import { UnsavedGuard } from '../engine/drafts/UnsavedGuard.tsx'
import { type CaseType, type CaseTypeUsage, FORMS, type SavedDraft } from './caseType.ts'
import { EditorErrorSummary } from './EditorErrorSummary.tsx'
import { EditorContext } from './editorContext.ts'
import { Header } from './Header.tsx'
import { PreviewPane } from './preview/PreviewPane.tsx'
import { Conflict } from './publish/Conflict.tsx'
import { Settings } from './settings/Settings.tsx'
import { Structure } from './structure/Structure.tsx'
import { useEditor } from './useEditor.ts'
import { useUndoKeys } from './useUndoKeys.ts'

const PublishDialog = lazy(() => import('./publish/PublishDialog.tsx'))

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
  const [group, field, column] = editorContext.selection.address
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
              hidden={meta !== editorContext.meta}
              group={meta === editorContext.meta ? group : undefined}
              field={meta === editorContext.meta ? field : undefined}
              column={meta === editorContext.meta ? column : undefined}
            />
          ))}
        </div>
      </div>
      <div className="visually-hidden" role="status">
        {editor.announcement}
      </div>
      {editor.isPublishDialogOpen && (
        <Suspense fallback={null}>
          <PublishDialog editor={editor} usage={usage} />
        </Suspense>
      )}
      <UnsavedGuard when={!editor.autosave.isSaved && !isDeleted} />
    </div>
  )
}

import { Button, Classes, Tab, Tabs } from '@blueprintjs/core'
import { replaceEqualDeep } from '@tanstack/react-query'
import { type ReactElement, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { Field, Group } from '../contract/generated.ts'
import type { MetaName, Metas } from '../contract/meta/metaTypes.ts'
import { outsideFields } from '../contract/meta/outsideFields.ts'
import { fieldsByName } from '../contract/meta/places.ts'
import { META_OF } from '../contract/meta/recordFields.ts'
import { seenPathsOf } from '../contract/seenPaths.ts'
import { useRead } from '../engine/core/calls.ts'
import { useContract } from '../engine/core/contract.ts'
import { loadable } from '../engine/core/loadable.tsx'
import { isDialogOpen } from '../engine/core/shortcuts.ts'
import { UnsavedGuard } from '../engine/form/drafts/UnsavedGuard.tsx'
import { pathsOfDefinition, type Selected, selectedDefinition } from './automations/selectedDefinition.ts'
import { CommentCounts, type OpenComments } from './comments/commentCounts.ts'
import { useLinkedField } from './comments/useLinkedField.ts'
import { Header } from './Header.tsx'
import { PreviewPane } from './preview/PreviewPane.tsx'
import { Conflict } from './publish/Conflict.tsx'
import { Settings } from './settings/Settings.tsx'
import { type CaseType, type CaseTypeUsage, FORMS, type SavedDraft } from './state/caseType.ts'
import { EditorContext } from './state/editorContext.ts'
import type { EditorError } from './state/editorErrors.ts'
import { type EditorState, useEditor } from './state/useEditor.ts'
import type { EditorTab } from './state/useSelections.ts'
import { Structure } from './structure/Structure.tsx'
import { FormTests } from './tests/FormTests.tsx'

const FIELDS = 'input, textarea, select, [contenteditable]'

const AutomationPanes = loadable(() => import('./automations/AutomationPanes.tsx'))
const PublishDialog = loadable(() => import('./publish/PublishDialog.tsx'))

/** Path of the list of case types. */
export const LIST = '/dashboard/module-constructor'

const PANES = { structure: 'Structure', settings: 'Settings', preview: 'Preview' }
const AUTOMATION_PANES = { structure: 'Automations', settings: 'Sentence', preview: 'Try it' }

/** A constant, so that the rows of the structure render only for other counts. */
const NONE: Record<string, number> = {}

interface Props {
  loaded: CaseType
  usage: CaseTypeUsage
  /** Retries the usage request after it failed; undefined otherwise. */
  recount?: () => void
  draft: SavedDraft
  /** The case type or its draft is being refetched. */
  isReading: boolean
}

/** The editor of a case type: its header, a conflict or errors, and the three panes. */
export function Editor(props: Props): ReactElement {
  const { loaded, usage, draft: saved } = props
  // Unchanged parts of the draft reuse the published objects, so that comparing the two is fast at every change.
  const draft = useMemo(() => replaceEqualDeep(loaded, saved), [loaded, saved])
  const editor = useEditor({ ...props, draft })
  const { editorContext, history } = editor
  const root = useRef<HTMLDivElement>(null)
  const selected = editor.tab === 'automations' ? selectedDefinition(editor) : undefined
  const { form, marked } = previewed(editor, selected)
  const [visited, setVisited] = useState<MetaName[]>([form])
  if (!visited.includes(form)) setVisited([...visited, form])
  const [isDeleted, setDeleted] = useState(false)
  const count = history.draft.automations.length + history.draft.deadlines.length
  const navigate = useNavigate()
  useEffect(() => {
    if (isDeleted) navigate(LIST)
  }, [isDeleted, navigate])
  useUndoKeys(root, history.undo, history.redo)
  const outside = useOutside(history.draft)
  useLinkedField(editor)
  const comments = useRead<OpenComments>('fieldComments.counts', { params: { id: loaded.id } }).data
  return (
    <div className="constructor" ref={root}>
      <Header editor={editor} usage={usage} comments={comments?.open} onDeleted={() => setDeleted(true)} />
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
          // An animated line is measured, which forces a layout of the whole page while it opens.
          animate={false}
          selectedTabId={editor.tab}
          onChange={(tab) => editor.showTab(tab as EditorTab)}
        >
          {FORMS.map(({ meta, title }) => (
            <Tab key={meta} id={meta} title={title} />
          ))}
          <Tab id="automations" title={`Automations ${count || ''}`.trim()} />
        </Tabs>
        <FormTests
          draft={history.draft}
          service={loaded.service}
          calendars={editor.calendars}
          editTests={history.editTests}
          announce={editorContext.announce}
          onGo={editor.goTo}
        />
      </div>
      {/* Ids that Blueprint's tabs refer to. */}
      <div
        className="constructor-form"
        role="tabpanel"
        id={`${Classes.TAB_PANEL}_constructor_${editor.tab}`}
        aria-labelledby={`${Classes.TAB}-title_constructor_${editor.tab}`}
      >
        <div className="constructor-switch">
          {Object.entries(editor.tab === 'automations' ? AUTOMATION_PANES : PANES).map(([pane, title]) => (
            <Button
              key={pane}
              text={title}
              aria-pressed={editor.pane === pane}
              active={editor.pane === pane}
              onClick={() => editor.showPane(pane as keyof typeof PANES)}
            />
          ))}
        </div>
        <div className="constructor-panes" data-pane={editor.pane} data-tab={editor.tab}>
          {editor.tab === 'automations' ? (
            <AutomationPanes editor={editor} />
          ) : (
            <CommentCounts value={comments?.[editorContext.meta === 'case_meta' ? 'case' : 'issue'] ?? NONE}>
              <Structure key={editorContext.meta} editorContext={editorContext} />
              <EditorContext value={editorContext}>
                <Settings />
              </EditorContext>
            </CommentCounts>
          )}
          {FORMS.filter(({ meta }) => visited.includes(meta)).map(({ meta }) => (
            <PreviewPane
              key={meta}
              caseType={editor.base.id}
              meta={meta}
              groups={history.draft[meta]}
              outside={outside[meta]}
              caseGroups={editor.tab === 'automations' ? history.draft.case_meta : NO_GROUPS}
              automations={history.draft.automations}
              deadlines={history.draft.deadlines}
              tests={history.draft.tests}
              service={loaded.service}
              calendars={editor.calendars}
              editTests={history.editTests}
              hidden={meta !== form}
              isTrial={editor.tab === 'automations'}
              {...(meta === form ? marked : NOTHING_MARKED)}
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

/** The fields outside of each form that it can name; none for a form that names none. */
function useOutside({ case_meta, issue_meta }: Metas): Record<MetaName, Map<string, Field>> {
  const contract = useContract()
  return useMemo(() => {
    const metas = { case_meta, issue_meta }
    const fieldsFor = (meta: MetaName) =>
      seenPathsOf(metas[meta]).length > 0 ? outsideFields(meta, metas, contract) : NOTHING_OUTSIDE
    return { case_meta: fieldsFor('case_meta'), issue_meta: fieldsFor('issue_meta') }
  }, [case_meta, issue_meta, contract])
}

const NOTHING_OUTSIDE = new Map<string, Field>()
const NO_GROUPS: Group[] = []
const NOTHING_MARKED = { group: undefined, path: '' }

/**
 * The form in the preview, and what is highlighted there: the selected item, or what an automation or a deadline looks at
 * first.
 */
function previewed({ editorContext, history }: EditorState, selected: Selected | undefined) {
  if (!selected) {
    const [group, ...names] = editorContext.selection.address
    return { form: editorContext.meta, marked: { group, path: names.join('.') } }
  }
  const form = META_OF[selected.definition.of]
  const paths = pathsOfDefinition(selected)
  // Choose the first field in the form, because those below it may be hidden until it is answered.
  const path = [...fieldsByName(history.draft[form]).keys()].find((name) => paths.includes(name)) ?? ''
  return { form, marked: { group: undefined, path } }
}

interface EditorErrorSummaryProps {
  errors: EditorError[]
  /** Number of attempts to publish; each one moves the focus here. */
  number: number
  onGo: (error: EditorError) => void
  labelOf: (error: EditorError) => string | undefined
}

/** Errors that prevent publishing, each with a link to its place; gets the focus at every attempt. */
function EditorErrorSummary({ errors, number, onGo, labelOf }: EditorErrorSummaryProps): ReactElement {
  const box = useRef<HTMLDivElement>(null)
  const heading = useId()
  useEffect(() => box.current?.focus(), [number])
  // An error of several fields, such as a circle of conditions, is listed once.
  const listed = new Map<string, EditorError>()
  for (const error of errors) {
    const words = withLabel(error, labelOf(error))
    if (!listed.has(words)) listed.set(words, error)
  }
  return (
    <div className="error-summary" ref={box} tabIndex={-1} role="alert" aria-labelledby={heading}>
      <h2 id={heading}>There is a problem</h2>
      <ul>
        {[...listed].map(([words, error]) => (
          <li key={words}>
            {error.address.length > 0 || error.definition ? (
              <button type="button" className="constructor-link" onClick={() => onGo(error)}>
                {words}
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

/** The message, preceded by the label of its item unless it contains it. */
function withLabel({ message }: EditorError, label: string | undefined): string {
  return !label?.trim() || message.includes(`'${label}'`) ? message : `${label}: ${message}`
}

/**
 * Ctrl+Z undoes, Ctrl+Shift+Z and Ctrl+Y redo; not in dialogs, in fields outside the editor, nor in those with
 * `data-own-text`, where the browser's own undo works.
 */
function useUndoKeys(root: RefObject<HTMLElement | null>, undo: () => void, redo: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!(event.ctrlKey || event.metaKey) || event.altKey || (key !== 'z' && key !== 'y')) return
      if (isDialogOpen()) return
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

import { Button, Classes, Tab, Tabs } from '@blueprintjs/core'
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import type { MetaName } from '../contract/meta/check.ts'
import { UnsavedGuard } from '../engine/form/UnsavedGuard.tsx'
import { BenchContext } from './bench.ts'
import { type CaseType, type CaseTypeUsage, FORMS, type SavedDraft } from './caseType.ts'
import { Header } from './Header.tsx'
import { EditorErrorSummary } from './ProblemSummary.tsx'
import { PreviewPane } from './preview/PreviewPane.tsx'
import { Conflict } from './publish/Conflict.tsx'
import { Settings } from './settings/Settings.tsx'
import { Structure } from './structure/Structure.tsx'
import { useUndoKeys } from './useUndoKeys.ts'
import { useWorkbench } from './useWorkbench.ts'

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
export function Workbench(props: Props): ReactElement {
  const { loaded, usage } = props
  const work = useWorkbench(props)
  const { bench, history } = work
  const [group, field, column] = bench.selection.address
  const root = useRef<HTMLDivElement>(null)
  const [visited, setVisited] = useState<MetaName[]>([bench.meta])
  if (!visited.includes(bench.meta)) setVisited([...visited, bench.meta])
  const [isGone, setGone] = useState(false)
  const navigate = useNavigate()
  useEffect(() => {
    if (isGone) navigate(LIST)
  }, [isGone, navigate])
  useUndoKeys(root, history.undo, history.redo)
  return (
    <div className="constructor" ref={root}>
      <Header work={work} usage={usage} onGone={() => setGone(true)} />
      {work.conflict && <Conflict conflict={work.conflict} work={work} />}
      {work.listedErrors.length > 0 && (
        <EditorErrorSummary
          errors={work.listedErrors}
          number={work.attempts}
          onGo={work.goTo}
          labelOf={work.labelOf}
        />
      )}
      <div className="constructor-forms">
        <Tabs
          id="constructor"
          selectedTabId={bench.meta}
          onChange={(meta) => work.showForm(meta as MetaName)}
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
        id={`${Classes.TAB_PANEL}_constructor_${bench.meta}`}
        aria-labelledby={`${Classes.TAB}-title_constructor_${bench.meta}`}
      >
        <div className="constructor-switch">
          {Object.entries(PANES).map(([pane, title]) => (
            <Button
              key={pane}
              text={title}
              aria-pressed={work.pane === pane}
              active={work.pane === pane}
              onClick={() => work.showPane(pane as keyof typeof PANES)}
            />
          ))}
        </div>
        <div className="constructor-panes" data-pane={work.pane}>
          <Structure key={bench.meta} bench={bench} />
          <BenchContext value={bench}>
            <Settings />
          </BenchContext>
          {FORMS.filter(({ meta }) => visited.includes(meta)).map(({ meta }) => (
            <PreviewPane
              key={meta}
              meta={meta}
              groups={history.draft[meta]}
              service={loaded.service}
              hidden={meta !== bench.meta}
              group={meta === bench.meta ? group : undefined}
              field={meta === bench.meta ? field : undefined}
              column={meta === bench.meta ? column : undefined}
            />
          ))}
        </div>
      </div>
      <div className="visually-hidden" role="status">
        {work.announcement}
      </div>
      {work.isPublishDialogOpen && (
        <Suspense fallback={null}>
          <PublishDialog work={work} usage={usage} />
        </Suspense>
      )}
      <UnsavedGuard when={!work.autosave.isSaved && !isGone} />
    </div>
  )
}

import { Button, InputGroup } from '@blueprintjs/core'
import { lazy, type ReactElement, Suspense, useId, useState } from 'react'
import { useLookup } from '../engine/lookups.ts'
import type { CaseTypeUsage } from './caseType.ts'
import { ExportButton } from './ExportButton.tsx'
import { ImportButton } from './ImportButton.tsx'
import { keptWords } from './keptWords.ts'
import type { Work } from './useWorkbench.ts'

const HistoryDialog = lazy(() => import('./HistoryDialog.tsx'))

/** What is being changed, for whom it counts, and what to do with it. */
export function Header({ work, usage }: { work: Work; usage: CaseTypeUsage }): ReactElement {
  const { base, history, publishing } = work
  const name = useId()
  const [isHistory, showHistory] = useState(false)
  const service = useLookup('services')?.find((item) => item.value === base.service)?.label
  const facts = [
    service,
    base.version > 0 ? `Version ${base.version}` : 'Not published yet',
    `${count(usage.cases, 'case')} and ${count(usage.issues, 'issue')} use it`,
  ]
  return (
    <header className="constructor-header">
      <div>
        <h1 className="heading">{base.label}</h1>
        <p className="constructor-facts">{facts.filter(Boolean).join(' · ')}</p>
      </div>
      <div className="constructor-label">
        <label htmlFor={name}>Name of the case type</label>
        <InputGroup
          id={name}
          maxLength={200}
          autoComplete="off"
          value={history.draft.label}
          aria-invalid={history.draft.label.trim() === ''}
          onValueChange={history.rename}
        />
      </div>
      <div className="constructor-buttons">
        <Button icon="undo" text="Undo" aria-disabled={!history.canUndo} onClick={history.undo} />
        <Button icon="redo" text="Redo" aria-disabled={!history.canRedo} onClick={history.redo} />
        <Button icon="history" text="History" onClick={() => showHistory(true)} />
        <ImportButton work={work} />
        <ExportButton work={work} />
        <Button
          icon="send-message"
          intent="primary"
          text="Publish…"
          loading={publishing.busy}
          aria-busy={publishing.busy}
          onClick={work.ask}
        />
      </div>
      <p className="constructor-kept" role="status">
        {keptWords(work)}
        {work.isDirty && (
          <Button size="small" variant="minimal" text="Discard the draft" onClick={work.discard} />
        )}
      </p>
      {isHistory && (
        <Suspense fallback={null}>
          <HistoryDialog work={work} onClose={() => showHistory(false)} />
        </Suspense>
      )}
    </header>
  )
}

function count(n: number, what: string): string {
  return `${n.toLocaleString('en-GB')} ${what}${n === 1 ? '' : 's'}`
}

import { Button, InputGroup } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { useLookup } from '../engine/lookups.ts'
import type { CaseTypeUsage } from './caseType.ts'
import type { Work } from './useWorkbench.ts'

/** What is being changed, for whom it counts, and what to do with it. */
export function Header({ work, usage }: { work: Work; usage: CaseTypeUsage }): ReactElement {
  const { base, history, saving } = work
  const name = useId()
  const service = useLookup('services')?.find((item) => item.value === base.service)?.label
  const facts = [
    service,
    `Version ${base.version}`,
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
        <Button
          icon="floppy-disk"
          intent="primary"
          text="Save"
          loading={saving.busy}
          aria-busy={saving.busy}
          onClick={() => void work.save()}
        />
      </div>
    </header>
  )
}

function count(n: number, what: string): string {
  return `${n.toLocaleString('en-GB')} ${what}${n === 1 ? '' : 's'}`
}

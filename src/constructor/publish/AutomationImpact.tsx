import { Button, Checkbox } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { hasEvents, impactSentences, limitWords } from '../automations/impactWords.ts'
import { useImpact } from '../automations/useImpact.ts'
import type { CaseType, Draft } from '../state/caseType.ts'

interface Props {
  base: CaseType
  draft: Draft
  /** True if the publication notifies people and plans steps for the records that begin to hold an automation. */
  firesEvents: boolean
  onFiresEvents: (fires: boolean) => void
}

/** What the automations of a draft do to the records that are there, and the choice to let happen what follows once. */
export function AutomationImpact({ base, draft, firesEvents, onFiresEvents }: Props): ReactElement {
  const { data, isError, refetch } = useImpact(base.id, draft.automations, true)
  if (isError && !data)
    return (
      <p role="alert">
        The records in which automations hold could not be counted.{' '}
        <Button size="small" text="Try again" onClick={() => void refetch()} />
      </p>
    )
  if (!data) return <p role="status">Counting the records in which automations hold…</p>
  const sentences = impactSentences(base.automations ?? [], draft.automations, data, firesEvents)
  const limit = limitWords(data)
  if (sentences.length === 0) return <p>No record begins or ceases to hold an automation. {limit}</p>
  return (
    <>
      <h3>What automations do to records</h3>
      <ul className="constructor-sentences">
        {sentences.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
      {limit && <p className="constructor-hint">{limit}</p>}
      {hasEvents(draft.automations, data) && (
        <Checkbox
          label="Also notify people and plan the steps for these records"
          checked={firesEvents}
          onChange={(event) => onFiresEvents(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

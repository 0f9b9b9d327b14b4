import { Button, Checkbox } from '@blueprintjs/core'
import type { ReactElement, RefObject } from 'react'
import { deadlineSentences } from '../automations/deadlineImpactWords.ts'
import { impactSentences, limitWords, withEvents } from '../automations/impactWords.ts'
import { useImpact } from '../automations/useImpact.ts'
import type { CaseType, Draft } from '../state/caseType.ts'

interface Props {
  base: CaseType
  draft: Draft
  /** True if the publication notifies people and plans steps for the records that begin to hold an automation. */
  firesEvents: boolean
  inputRef: RefObject<HTMLInputElement | null>
  onFiresEvents: (fires: boolean) => void
}

/**
 * What the automations and deadlines of a draft do to the records that are there, and the choice to let happen what
 * follows once.
 */
export function AutomationImpact({ base, draft, firesEvents, inputRef, onFiresEvents }: Props): ReactElement {
  const { data, isError, refetch } = useImpact(base.id, draft, true)
  if (isError && !data)
    return (
      <p role="alert">
        The records that automations and deadlines are about could not be counted.{' '}
        <Button size="small" text="Try again" onClick={() => void refetch()} />
      </p>
    )
  if (!data) return <p role="status">Counting the records that automations and deadlines are about…</p>
  const sentences = impactSentences(base.automations ?? [], draft.automations, data, firesEvents)
  const due = deadlineSentences(base.deadlines ?? [], draft.deadlines, data.deadlines)
  const limit = limitWords(data)
  const firing = withEvents(draft.automations, data)
  if (sentences.length + due.length === 0)
    return <p>No record begins or ceases to hold an automation, and no deadline moves. {limit}</p>
  return (
    <>
      <Listed title="What automations do to records" sentences={sentences} />
      <Listed title="What becomes of deadlines" sentences={due} />
      {due.length > 0 && <p className="constructor-hint">What was met or excused stays as it is.</p>}
      {limit && <p className="constructor-hint">{limit}</p>}
      {firing.length > 0 && (
        <Checkbox
          inputRef={inputRef}
          label={`Also notify people and plan the steps for these records${ofAll(firing.length)}`}
          checked={firesEvents}
          onChange={(event) => onFiresEvents(event.currentTarget.checked)}
        />
      )}
    </>
  )
}

/** The choice is one for the publication. */
function ofAll(automations: number): string {
  return automations > 1 ? `, of all ${automations} automations` : ''
}

function Listed({ title, sentences }: { title: string; sentences: string[] }) {
  if (sentences.length === 0) return null
  return (
    <>
      <h3>{title}</h3>
      <ul className="constructor-sentences">
        {sentences.map((words) => (
          <li key={words}>{words}</li>
        ))}
      </ul>
    </>
  )
}

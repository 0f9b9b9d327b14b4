import { Button, Checkbox } from '@blueprintjs/core'
import { type ReactElement, type RefObject, useState } from 'react'
import type { Automation } from '../../contract/generated.ts'
import { deadlineSentences } from '../automations/deadlineImpactWords.ts'
import { impactSentences, limitWords, withEvents } from '../automations/impactWords.ts'
import { useImpact } from '../automations/useImpact.ts'
import type { CaseType, Draft } from '../state/caseType.ts'

interface Props {
  base: CaseType
  draft: Draft
  /** Names of the automations that notify people and plan steps for the records for which they begin to hold. */
  firing: string[]
  inputRef: RefObject<HTMLInputElement | null>
  onFiring: (names: string[]) => void
}

/**
 * What the automations and deadlines of a draft do to existing records, and the choice whether people are notified and
 * steps planned.
 */
export function AutomationImpact({ base, draft, firing, inputRef, onFiring }: Props): ReactElement {
  const { data, isError, refetch } = useImpact(base.id, draft, true)
  if (isError && !data)
    return (
      <p role="alert">
        The records that automations and deadlines are about could not be counted.{' '}
        <Button size="small" text="Try again" onClick={() => void refetch()} />
      </p>
    )
  if (!data) return <p role="status">Counting the records that automations and deadlines are about…</p>
  const sentences = impactSentences(base.automations ?? [], draft.automations, data, firing)
  const due = deadlineSentences(base.deadlines ?? [], draft.deadlines, data.deadlines)
  const limit = limitWords(data)
  const offered = withEvents(draft.automations, data)
  if (sentences.length + due.length === 0)
    return <p>No automation begins or ceases to hold for a record, and no deadline moves. {limit}</p>
  return (
    <>
      <Listed title="What automations do to records" sentences={sentences} />
      <Listed title="What becomes of deadlines" sentences={due} />
      {due.length > 0 && <p className="constructor-hint">What was met or excused stays as it is.</p>}
      {limit && <p className="constructor-hint">{limit}</p>}
      <EventChoices {...{ offered, firing, inputRef, onFiring }} />
    </>
  )
}

type ChoicesProps = Pick<Props, 'firing' | 'inputRef' | 'onFiring'> & { offered: Automation[] }

/**
 * A checkbox for each automation that begins to hold for records: whether it notifies people and plans steps for them.
 */
function EventChoices({ offered, firing, inputRef, onFiring }: ChoicesProps) {
  const words = 'Also notify people and plan the steps for these records'
  const focused = offered.find(({ name }) => firing.includes(name)) ?? offered[0]
  // The dialog focuses this checkbox when it opens; it stays the same one when another is ticked.
  const [first] = useState(focused?.name)
  const choices = offered.map(({ name, label }) => (
    <Checkbox
      key={name}
      inputRef={name === (first ?? focused?.name) ? inputRef : undefined}
      label={offered.length > 1 ? label : words}
      checked={firing.includes(name)}
      onChange={(event) =>
        onFiring(event.currentTarget.checked ? [...firing, name] : firing.filter((one) => one !== name))
      }
    />
  ))
  if (offered.length < 2) return <>{choices}</>
  return (
    <fieldset>
      <legend>{words}, of</legend>
      {choices}
    </fieldset>
  )
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

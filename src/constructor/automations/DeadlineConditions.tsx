import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { isQuestion } from '../../contract/fieldTypes.ts'
import type { When } from '../../contract/when.ts'
import { ConditionEditor } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import type { DeadlinePart } from './deadlinePart.ts'
import { SentenceRow } from './OutcomeRow.tsx'

/** The conditions of a deadline: while it is due at all, and while it is paused. */
export function DeadlineConditions(props: DeadlinePart): ReactElement {
  const { deadline, messagesAt, change } = props
  const { when, paused, ...rest } = deadline
  const others = { ...rest, ...(when && { when }), ...(paused && { paused }) }
  const setWhen = (next: When | undefined) => {
    const { when: _, ...always } = others
    change(next ? { ...always, when: next } : always, 'Condition')
  }
  const setPaused = (next: When | undefined) => {
    const { paused: _, ...moving } = others
    change(next ? { ...moving, paused: { when: next } } : moving, 'When it is paused')
  }
  return (
    <>
      <OptionalCondition
        {...props}
        title="only while"
        name="When it is due"
        when={when}
        messages={messagesAt('when')}
        onChange={setWhen}
      />
      {(deadline.at === undefined || paused) && (
        <OptionalCondition
          {...props}
          title="paused while"
          name="When it is paused"
          when={paused?.when}
          messages={messagesAt('paused')}
          onChange={setPaused}
        />
      )}
    </>
  )
}

interface OptionalProps extends Pick<DeadlinePart, 'reach' | 'announce'> {
  title: string
  name: string
  when: When | undefined
  messages: string[]
  onChange: (when: When | undefined) => void
}

function OptionalCondition({ title, name, when, messages, reach, announce, onChange }: OptionalProps) {
  return (
    <SentenceRow title={title}>
      {when ? (
        <ConditionEditor
          label={name}
          when={when}
          messages={messages}
          reach={reach}
          offered={[...reach.values()].filter(isQuestion)}
          announce={announce}
          onChange={onChange}
        />
      ) : (
        <Button
          size="small"
          icon="plus"
          text="Add a condition"
          aria-label={`Add a condition: ${title}`}
          onClick={() => onChange(withNewTest())}
        />
      )}
    </SentenceRow>
  )
}

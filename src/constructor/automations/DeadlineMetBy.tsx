import type { ReactElement } from 'react'
import type { Deadline, MetBy } from '../../contract/generated.ts'
import { useLookup } from '../../engine/core/lookups.ts'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { DeadlinePart } from './deadlinePart.ts'
import { SentenceRow } from './OutcomeRow.tsx'
import { TagsSetting } from './TagsSetting.tsx'

/** What meets a deadline: types of actions, or a day that somebody enters. */
export function DeadlineMetBy({ deadline, dates, messagesAt, change }: DeadlinePart): ReactElement {
  const types = useLookup('action_type') ?? []
  const { met_by: { actions = [], field } = {}, every } = deadline
  const set = (next: MetBy) => change(withMetBy(deadline, next), 'What meets it')
  return (
    <SentenceRow title="met by">
      <TagsSetting
        label="Actions that meet it"
        add="Add an action…"
        values={actions.map(String)}
        choices={types.map(({ value, label }) => ({ value: String(value), label }))}
        messages={messagesAt('met_by.actions')}
        onChange={(values) => set({ field, actions: values.map(Number) })}
      />
      {(!every || field !== undefined) && (
        <SelectSetting
          label="or by the day in"
          value={field}
          none="no field"
          choices={dates}
          messages={messagesAt('met_by.field')}
          onChange={(path) => set({ actions, field: path })}
        />
      )}
      <Messages messages={messagesAt('met_by').filter((words) => !isOfPart(words, messagesAt))} />
    </SentenceRow>
  )
}

/** True for a message that stands at one of the two controls. */
function isOfPart(words: string, messagesAt: DeadlinePart['messagesAt']): boolean {
  return [...messagesAt('met_by.actions'), ...messagesAt('met_by.field')].includes(words)
}

function withMetBy(deadline: Deadline, { actions = [], field }: MetBy): Deadline {
  const { met_by: _, ...rest } = deadline
  const met_by: MetBy = {
    ...(actions.length > 0 || deadline.every ? { actions } : {}),
    ...(field !== undefined && { field }),
  }
  return Object.keys(met_by).length > 0 ? { ...rest, met_by } : rest
}

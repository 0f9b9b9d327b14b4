import type { ReactElement } from 'react'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { withPath } from './DueRow.tsx'
import type { DeadlinePart } from './deadlinePart.ts'
import { SentenceRow } from './OutcomeRow.tsx'
import { SpanSetting } from './SpanSetting.tsx'

/** From when a deadline is due soon. */
export function WarnsRow({ deadline, numbers, messagesAt, change }: DeadlinePart): ReactElement {
  const { warn, ...rest } = deadline
  return (
    <SentenceRow title="warns">
      <div className="automation-inline">
        <SelectSetting
          label="When it is due soon"
          quiet
          value={warn !== undefined}
          choices={[
            { value: false, label: 'on the day itself' },
            { value: true, label: 'before it is due' },
          ]}
          onChange={(isBefore) =>
            change(isBefore ? { ...rest, warn: { working_days: 1 } } : rest, 'When it is due soon')
          }
        />
        {warn && (
          <SpanSetting
            label="Warning"
            span={warn}
            numbers={numbers}
            messages={messagesAt('warn')}
            onChange={(next, typing) => change({ ...deadline, warn: next }, 'Time of its warning', typing)}
          />
        )}
      </div>
    </SentenceRow>
  )
}

/** Until when a deadline can be due, and what is the same for all of them. */
export function EndsRow({ deadline, dates, messagesAt, change }: DeadlinePart): ReactElement {
  return (
    <SentenceRow title="ends">
      <SelectSetting
        label="Until"
        quiet
        value={deadline.until || undefined}
        none={`when the ${deadline.of} is closed`}
        choices={dates.map(({ value, label }) => ({ value, label: `after the day in: ${label}` }))}
        messages={messagesAt('until')}
        onChange={(path) => change(withPath(deadline, 'until', path), 'Until when it can be due')}
      />
      <p className="constructor-hint">
        A manager may excuse it, with a reason. Working days are those of the council area of the case.
      </p>
    </SentenceRow>
  )
}

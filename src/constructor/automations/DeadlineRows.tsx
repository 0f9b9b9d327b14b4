import type { ReactElement, ReactNode } from 'react'
import type { Deadline } from '../../contract/generated.ts'
import { Messages } from '../controls/Messages.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { DeadlinePart } from './deadlinePart.ts'
import { SentenceRow } from './OutcomeRow.tsx'
import { SpanSetting } from './SpanSetting.tsx'

type DueKind = 'within' | 'every' | 'at'

const KINDS: { value: DueKind; label: string }[] = [
  { value: 'within', label: 'once' },
  { value: 'every', label: 'again and again' },
  { value: 'at', label: 'on a day that is entered' },
]

/** When a deadline is due, and on which records. */
export function DueRow({ deadline, dates, numbers, messagesAt, change }: DeadlinePart): ReactElement {
  const { of, from, at, within, every } = deadline
  const kind: DueKind = every ? 'every' : at === undefined ? 'within' : 'at'
  const span = every ?? within ?? { working_days: 1 }
  return (
    <SentenceRow title="Due">
      <div className="automation-inline">
        <SelectSetting
          label="How it is due"
          quiet
          value={kind}
          choices={KINDS}
          onChange={(next) => next && change(ofKind(deadline, next), 'How it is due')}
        />
        <SelectSetting
          label="On which records"
          quiet
          value={of}
          choices={[
            { value: 'issue', label: 'on every issue' },
            { value: 'case', label: 'on every case' },
          ]}
          onChange={(next) => next && change({ ...deadline, of: next }, 'Kind of record')}
        />
      </div>
      {kind === 'at' ? (
        <SelectSetting
          label="The day"
          value={at || undefined}
          none="Choose the day…"
          choices={dates}
          messages={messagesAt('at')}
          onChange={(path) => change({ ...deadline, at: path ?? '' }, 'Day')}
        />
      ) : (
        <>
          <div className="automation-inline">
            <SpanSetting
              label="Due"
              span={span}
              numbers={numbers}
              messages={messagesAt(kind)}
              onChange={(next, typing) =>
                change({ ...deadline, [kind]: next }, 'Time until it is due', typing)
              }
            />
          </div>
          <SelectSetting
            label={kind === 'every' ? 'after the one before, at first after' : 'after'}
            value={from || undefined}
            none="Choose the day…"
            choices={dates}
            messages={messagesAt('from')}
            onChange={(path) => change(withPath(deadline, 'from', path), 'Day from which it is counted')}
          />
        </>
      )}
      <Messages messages={messagesAt('')} />
    </SentenceRow>
  )
}

/** From when a deadline is due soon; `children` say who is notified then. */
export function WarnsRow({
  deadline,
  numbers,
  messagesAt,
  change,
  children,
}: DeadlinePart & { children: ReactNode }): ReactElement {
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
      {children}
    </SentenceRow>
  )
}

/** Until when a deadline can be due, and a hint on rules that all deadlines share. */
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

function withPath(deadline: Deadline, key: 'from' | 'until', path: string | undefined): Deadline {
  const { [key]: _, ...rest } = deadline
  return path === undefined ? rest : { ...rest, [key]: path }
}

/** The deadline with another way of being due; it keeps the parts that both ways have. */
function ofKind(deadline: Deadline, kind: DueKind): Deadline {
  const { within, every, at, from, ...rest } = deadline
  const span = within ?? every ?? { working_days: 1 }
  const day = from ?? at
  if (kind === 'at') return { ...rest, at: day ?? '' }
  const { met_by } = rest
  const common = { ...rest, ...(day && { from: day }) }
  if (kind === 'within') return { ...common, within: span }
  // Only actions can meet what is due again and again.
  return { ...common, every: span, met_by: { actions: met_by?.actions ?? [] } }
}

import { Button } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import {
  GROUP_PREFIX,
  HELD_WORDS,
  OUTCOMES,
  RECEIVERS,
  type Verb,
  verbOf,
} from '../../contract/automations/outcomes.ts'
import type {
  AlertOutcome,
  Automation,
  Days,
  HoldOutcome,
  NotifyOutcome,
  Outcome,
  StepOutcome,
} from '../../contract/generated.ts'
import { fieldsByName } from '../../contract/meta/places.ts'
import { META_OF } from '../../contract/meta/recordFields.ts'
import { useContract } from '../../engine/core/contract.ts'
import { type Insertable, InsertableText } from '../controls/InsertableText.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Draft } from '../state/caseType.ts'
import { useReceivers } from './receiverChoices.ts'
import { TagsSetting } from './TagsSetting.tsx'
import { VERBS } from './verbs.ts'

const MAX_TEXT = 200

interface RowProps<O> {
  outcome: O
  of: Automation['of']
  draft: Draft
  /** `typing` joins changes of a text to one step of undo. */
  onChange: (outcome: O, typing?: boolean) => void
  messagesAt: (key: string) => string[]
}

/** One outcome of an automation as a part of its sentence: the verb, how long it lasts, and what it does. */
export function OutcomeRow({
  onRemove,
  ...props
}: RowProps<Outcome> & { onRemove: () => void }): ReactElement {
  const verb = verbOf(props.outcome)
  const Parts = PARTS[verb] as (parts: RowProps<Outcome>) => ReactElement
  return (
    <SentenceRow title={VERBS[verb].phrase} below={OUTCOMES[verb].isLasting ? 'while it is true' : 'once'}>
      <Parts {...props} />
      <Button
        className="automation-remove"
        size="small"
        variant="minimal"
        icon="cross"
        aria-label={`Remove: ${VERBS[verb].phrase}`}
        onClick={onRemove}
      />
    </SentenceRow>
  )
}

interface SentenceRowProps {
  title: string
  below?: string
  children: ReactNode
}

/** A part of the sentence: what it begins with, and its pickers. */
export function SentenceRow({ title, below, children }: SentenceRowProps): ReactElement {
  return (
    <fieldset className="automation-row" aria-label={[title, below].filter(Boolean).join(', ')}>
      <p className="automation-verb" aria-hidden>
        <strong>{title}</strong>
        {below && <span className="constructor-facts">{below}</span>}
      </p>
      <div className="automation-parts">{children}</div>
    </fieldset>
  )
}

/** The answers that can stand in a text for those who see the record. */
function insertableOf({ of, draft }: Pick<RowProps<Outcome>, 'of' | 'draft'>): Insertable {
  const fields = () => fieldsByName(draft[META_OF[of]])
  return { kind: 'automation', fields, listed: () => [...fields().values()] }
}

function AlertParts({ outcome, of, draft, onChange, messagesAt }: RowProps<AlertOutcome>) {
  return (
    <>
      <InsertableText
        label="Text of the alert"
        insertable={insertableOf({ of, draft })}
        long="wraps"
        maxLength={MAX_TEXT}
        value={outcome.alert}
        messages={messagesAt('alert')}
        onChange={(alert) => onChange({ ...outcome, alert }, true)}
      />
      <div className="automation-inline">
        <SelectSetting
          label="Level"
          quiet
          value={outcome.level}
          choices={LEVELS}
          onChange={(level) => level && onChange({ ...outcome, level })}
        />
      </div>
    </>
  )
}

const LEVELS: { value: AlertOutcome['level']; label: string }[] = [
  { value: 'danger', label: 'Danger' },
  { value: 'warning', label: 'Warning' },
  { value: 'info', label: 'Info' },
]

function NotifyParts({ outcome, onChange, messagesAt }: RowProps<NotifyOutcome>) {
  const { groups, choices } = useReceivers()
  const blind = groups.filter(
    ({ code, sees_record }) => sees_record !== true && outcome.notify.includes(`${GROUP_PREFIX}${code}`),
  )
  return (
    <>
      <TagsSetting
        label="Who is notified"
        add="Add a receiver…"
        values={outcome.notify}
        choices={choices}
        messages={messagesAt('notify')}
        onChange={(notify) => onChange({ ...outcome, notify: notify as NotifyOutcome['notify'] })}
      />
      {blind.length > 0 && (
        <p className="constructor-hint">
          {blind.map(({ label }) => label).join(', ')} may not see the record. People who do not see it read
          the name of this automation, the number of the record and whom to ask.
        </p>
      )}
      <TextSetting
        label="Saying"
        long="wraps"
        maxLength={MAX_TEXT}
        value={outcome.text}
        messages={messagesAt('text')}
        onChange={(text) => onChange({ ...outcome, text }, true)}
      />
      <SelectSetting
        label="How"
        quiet
        value={outcome.urgent === true}
        choices={[
          { value: false, label: 'by bell, and in the daily email' },
          { value: true, label: 'at once, by bell and email' },
        ]}
        onChange={(isUrgent) => {
          const { urgent: _, ...rest } = outcome
          onChange(isUrgent ? { ...rest, urgent: true } : rest)
        }}
      />
    </>
  )
}

function StepParts({ outcome, onChange, messagesAt }: RowProps<StepOutcome>) {
  const { due, for: assignee = 'advocate' } = outcome
  const unit: keyof Days = due.working_days === undefined ? 'days' : 'working_days'
  const setDue = (count: number | undefined, of: keyof Days, typing?: boolean) =>
    onChange({ ...outcome, due: { [of]: count ?? 0 } }, typing)
  return (
    <>
      <TextSetting
        label="What is to be done"
        long="wraps"
        maxLength={MAX_TEXT}
        value={outcome.step}
        messages={messagesAt('step')}
        onChange={(step) => onChange({ ...outcome, step }, true)}
      />
      <div className="automation-inline">
        <TextSetting
          label="Due in"
          type="number"
          value={String(due[unit] ?? 0)}
          messages={messagesAt('due')}
          onChange={(text) => setDue(Math.min(MAX_DAYS, Math.max(0, Math.trunc(Number(text)))), unit, true)}
        />
        <SelectSetting
          label="Days"
          quiet
          value={unit}
          choices={[
            { value: 'working_days', label: 'working days' },
            { value: 'days', label: 'days' },
          ]}
          onChange={(of) => of && setDue(due[unit], of)}
        />
        <SelectSetting
          label="For"
          value={assignee}
          choices={ASSIGNEES.map((value) => ({ value, label: RECEIVERS[value] }))}
          onChange={(next) => {
            const { for: _, ...rest } = outcome
            onChange(next && next !== 'advocate' ? { ...rest, for: next } : rest)
          }}
        />
      </div>
    </>
  )
}

/** The fewest that the schema allows of both kinds of days. */
const MAX_DAYS = 260
const ASSIGNEES = ['advocate', 'maker', 'line_manager'] as const

function HoldParts({ outcome, of, draft, onChange, messagesAt }: RowProps<HoldOutcome>) {
  const { roles } = useContract().roles
  const { pass: _, ...withoutPass } = outcome
  return (
    <>
      <SelectSetting
        label="What is held"
        quiet
        value={outcome.hold}
        choices={HELD.map((value) => ({ value, label: HELD_WORDS[value] }))}
        onChange={(hold) => hold && onChange({ ...outcome, hold })}
      />
      <InsertableText
        label="With"
        insertable={insertableOf({ of, draft })}
        long="wraps"
        maxLength={MAX_TEXT}
        value={outcome.text}
        messages={messagesAt('text')}
        onChange={(text) => onChange({ ...outcome, text }, true)}
      />
      <TagsSetting
        label="Who may pass it with a reason"
        add="Let a role pass with a reason…"
        values={outcome.pass ?? []}
        choices={roles.map(({ name, label }) => ({ value: name, label }))}
        messages={messagesAt('pass')}
        onChange={(pass) => onChange(pass.length > 0 ? { ...withoutPass, pass } : withoutPass)}
      />
    </>
  )
}

const HELD: HoldOutcome['hold'][] = ['close', 'retire', 'remove', 'purge', 'merge']

const PARTS: Record<Verb, (props: never) => ReactElement> = {
  alert: AlertParts,
  notify: NotifyParts,
  step: StepParts,
  hold: HoldParts,
}

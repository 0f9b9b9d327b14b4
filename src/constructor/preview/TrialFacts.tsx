import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { isFieldOfKind } from '../../contract/deadlines/deadlinePaths.ts'
import { pathsOfDeadline } from '../../contract/deadlines/deadlineUses.ts'
import type { Deadline, Field, FormTestAction } from '../../contract/generated.ts'
import type { Metas } from '../../contract/meta/metaTypes.ts'
import { recordFields } from '../../contract/meta/recordFields.ts'
import { formatDate } from '../../engine/core/dates.ts'
import { useLookup } from '../../engine/core/lookups.ts'
import { today } from '../../engine/core/today.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import type { Trial } from '../state/trial.ts'

interface Props {
  /** The deadlines of one kind of record, at least one. */
  deadlines: Deadline[]
  metas: Metas
  trial: Trial
  onChange: (trial: Trial) => void
}

/** The days and numbers that deadlines look at outside of the form, the actions that meet them, and the day of the trial. */
export function TrialFacts({ deadlines, metas, trial, onChange }: Props): ReactElement {
  const reach = recordFields(deadlines[0].of, metas)
  const paths = [...new Set(deadlines.flatMap(pathsOfDeadline))].filter((path) => path.includes('.'))
  const fields = paths.flatMap((path) => reach.get(path) ?? [])
  return (
    <div className="automation-trial">
      <TextSetting
        label="Today"
        type="date"
        own
        value={trial.today ?? today()}
        onChange={(day) => onChange({ ...trial, today: day })}
      />
      {fields.map((field) => (
        <Fact key={field.name} {...{ field, trial, onChange }} />
      ))}
      <Actions
        types={[...new Set(deadlines.flatMap(({ met_by }) => met_by?.actions ?? []))]}
        actions={trial.with.actions ?? []}
        onChange={(actions) => onChange({ ...trial, with: { ...trial.with, actions } })}
      />
    </div>
  )
}

/** A column of the record, or an answer or a column of its case. */
function Fact({ field, trial, onChange }: Pick<Props, 'trial' | 'onChange'> & { field: Field }) {
  const [root, name] = field.name.split('.')
  const key = root === 'record' ? 'record' : 'case'
  const isNumber = isFieldOfKind(field, 'number')
  if (!isNumber && !isFieldOfKind(field, 'date')) return null
  const values = trial.with[key] ?? {}
  const set = (text: string) => {
    const { [name]: _, ...rest } = values
    const value = isNumber ? Math.trunc(Number(text)) : text
    onChange({ ...trial, with: { ...trial.with, [key]: text ? { ...rest, [name]: value } : rest } })
  }
  return (
    <TextSetting
      label={field.label}
      type={isNumber ? 'number' : 'date'}
      own
      value={String(values[name] ?? '')}
      onChange={set}
    />
  )
}

interface ActionsProps {
  /** Types that meet a deadline. */
  types: number[]
  actions: FormTestAction[]
  onChange: (actions: FormTestAction[]) => void
}

function Actions({ types, actions, onChange }: ActionsProps) {
  const items = useLookup('action_type') ?? []
  const [type, setType] = useState<number>()
  const [day, setDay] = useState('')
  if (types.length === 0) return null
  const labelOf = (one: number) => items.find(({ value }) => value === one)?.label ?? `Action ${one}`
  const add = () => {
    onChange([...actions, { type: type ?? types[0], on: day || today() }])
    setDay('')
  }
  return (
    <fieldset aria-label="Actions">
      <SelectSetting
        label="Action"
        value={type ?? types[0]}
        choices={types.map((value) => ({ value, label: labelOf(value) }))}
        onChange={setType}
      />
      <TextSetting label="Done on" type="date" own value={day} onChange={setDay} />
      <Button size="small" icon="plus" text="Add the action" onClick={add} />
      {actions.map(({ type: one, on }, i) => (
        <Button
          key={i}
          size="small"
          endIcon="cross"
          text={`${labelOf(one)}, ${formatDate(on)}`}
          aria-label={`${labelOf(one)}, ${formatDate(on)}, remove`}
          onClick={() => onChange(actions.toSpliced(i, 1))}
        />
      ))}
    </fieldset>
  )
}

import { Button, Callout, Classes, Radio } from '@blueprintjs/core'
import { useEffect, useId, useRef, useState } from 'react'
import type { Field } from '../../contract/generated.ts'
import type { ConditionContext } from '../../contract/when.ts'
import { formatDateTime } from '../core/dates.ts'
import { useUser } from '../core/user.ts'
import type { Conflict, FieldConflict } from './store/conflict.ts'
import { join } from './store/paths.ts'
import type { FormSection } from './store/sections.ts'
import { ReadValue } from './widgets/ReadView.tsx'

export type Choice = 'mine' | 'theirs'

interface Props {
  conflict: Conflict
  sections: FormSection[]
  conditionContext: ConditionContext
  isBusy: boolean
  onResolve: (choices: Record<string, Choice>) => void
}

/** Lets the person resolve a save conflict field by field; changes to other fields stay. */
export function ConflictPanel({ conflict, sections, conditionContext, isBusy, onResolve }: Props) {
  // A choice belongs to the two values that were shown for it.
  const [choices, setChoices] = useState<ReadonlyMap<FieldConflict, Choice>>(new Map())
  const box = useRef<HTMLDivElement>(null)
  const id = useId()
  const user = useUser()
  const entries = Object.entries(conflict.fields)
  const decided = entries.flatMap(([path, fieldConflict]) => {
    const choice = choices.get(fieldConflict)
    return choice ? [[path, choice] as const] : []
  })
  const undecided = entries.length - decided.length
  // By name, because a conflict has no ids.
  const isOwn = entries.every(([, { by }]) => by === `${user.first_name} ${user.last_name}`)
  // Each new conflict takes the focus, also when the same one is set again.
  useEffect(() => box.current?.focus(), [conflict])
  return (
    <div className="conflict" ref={box} tabIndex={-1} role="alert">
      <Callout intent="warning">
        <h2 className={Classes.HEADING}>{titleOf(entries.map(([, fieldConflict]) => fieldConflict))}</h2>
        <p>
          {isOwn ? 'You changed this in another window too.' : 'You both changed this.'} Choose what to keep;
          what you typed elsewhere stays.
        </p>
        {entries.map(([path, fieldConflict]) => (
          <FieldChoice
            key={path}
            path={path}
            conflict={fieldConflict}
            field={fieldAt(sections, path)}
            conditionContext={conditionContext}
            choice={choices.get(fieldConflict)}
            onChoose={(choice) => setChoices(new Map(choices).set(fieldConflict, choice))}
          />
        ))}
        <Button
          intent="primary"
          text="Save"
          aria-disabled={undecided > 0 || undefined}
          aria-describedby={undecided > 0 ? id : undefined}
          className={undecided > 0 ? Classes.DISABLED : undefined}
          loading={isBusy}
          onClick={() => undecided === 0 && onResolve(Object.fromEntries(decided))}
        />
        {undecided > 0 && (
          <span id={id} className="conflict-open">
            Choose for {undecided} more {undecided === 1 ? 'field' : 'fields'} first
          </span>
        )}
      </Callout>
    </div>
  )
}

interface FieldChoiceProps {
  path: string
  conflict: FieldConflict
  field: Field
  conditionContext: ConditionContext
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

function FieldChoice({ path, conflict, field, conditionContext, choice, onChoose }: FieldChoiceProps) {
  const radio = (value: Choice, label: string) => (
    <Radio name={`conflict.${path}`} checked={choice === value} onChange={() => onChoose(value)}>
      {label}: <ReadValue field={field} value={conflict[value]} conditionContext={conditionContext} />
    </Radio>
  )
  return (
    <fieldset className="conflict-field">
      <legend>{field.label}</legend>
      {radio('mine', 'Keep mine')}
      {radio('theirs', 'Take theirs')}
    </fieldset>
  )
}

/** 'Changed by Ann at 4 June 2026, 10:42', of the last change; 'Changed meanwhile' if it is not known whose that is. */
function titleOf(conflicts: FieldConflict[]): string {
  const { by, at } = conflicts.toSorted((a, b) => (a.at ?? '').localeCompare(b.at ?? '')).at(-1) ?? {}
  return ['Changed', by ? `by ${by}` : 'meanwhile', at && `at ${formatDateTime(at)}`]
    .filter(Boolean)
    .join(' ')
}

/** The field at a path of the document; a plain text field if the form does not have it. */
function fieldAt(sections: FormSection[], path: string): Field {
  for (const { at, groups } of sections) {
    const field = groups.flatMap((g) => g.fields).find((f) => join(at, f.name) === path)
    if (field) return field
  }
  const name = path.split('.').at(-1)!
  return { name, label: name.replaceAll('_', ' '), type: 'text' }
}

import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { describeOperator, type Op } from '../../contract/meta/describeOperator.ts'
import type { Literal, Test } from '../../contract/when.ts'
import { SelectSetting } from '../settings/SelectSetting.tsx'
import { opsOf, TEST_OF } from './conditionRows.ts'
import { Values } from './Values.tsx'

interface Props {
  /** What screen readers call it: 'condition 2 of alternative 1'. */
  name: string
  /** Where it stands in the condition, for the focus. */
  place: string
  /** Missing where it is still to be chosen. */
  field: Field | undefined
  offered: Field[]
  op: Op
  values: Literal[]
  onChange: (next: { path: string; test: Test }) => void
  /** Missing where it can be no alternative. */
  onOr?: () => void
  onDrop: () => void
}

/** One row of a condition: which field, how it compares, with what. */
export function ConditionRow(props: Props): ReactElement {
  const { name, place, field, offered, op, values, onChange, onOr, onDrop } = props
  const ops = field ? opsOf(field) : []
  const chooseField = (name: string | undefined) => {
    const chosen = offered.find((f) => f.name === name)
    if (chosen) onChange({ path: chosen.name, test: TEST_OF[opsOf(chosen)[0]]([]) })
  }
  const update = (one: Op, values: Literal[]) =>
    field && onChange({ path: field.name, test: TEST_OF[one](values) })
  return (
    <fieldset className="constructor-test" aria-label={capital(name)} data-condition={place}>
      <SelectSetting
        label="Field"
        quiet
        value={field?.name}
        none={field ? undefined : 'Choose a field…'}
        choices={offered.map((f) => ({ value: f.name, label: f.label }))}
        onChange={chooseField}
      />
      <span className="constructor-test-buttons">
        {field && onOr && (
          <Button
            size="small"
            variant="minimal"
            text="Or…"
            aria-label={`Add an alternative to ${name}`}
            onClick={onOr}
          />
        )}
        <Button size="small" variant="minimal" icon="cross" aria-label={`Remove ${name}`} onClick={onDrop} />
      </span>
      {field && (
        <SelectSetting
          label="Comparison"
          quiet
          value={op}
          choices={(ops.includes(op) ? ops : [...ops, op]).map((one) => ({
            value: one,
            label: describeOperator(one, field),
          }))}
          onChange={(next) => next && update(next, values)}
        />
      )}
      {field && op !== 'set' && op !== 'unset' && (
        <Values
          field={field}
          many={op === 'oneOf' || op === 'not'}
          values={values}
          onChange={(next) => update(op, next)}
        />
      )}
      {field?.attrs?.is_on === false && (
        <p className="constructor-hint">{field.label} is switched off, so it counts as unanswered.</p>
      )}
    </fieldset>
  )
}

function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1)
}

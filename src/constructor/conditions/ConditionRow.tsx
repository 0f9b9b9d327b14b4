import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { describeOperator, type Op } from '../../contract/meta/describeOperator.ts'
import type { Literal, Test } from '../../contract/when.ts'
import { SelectSetting } from '../settings/SelectSetting.tsx'
import { opsOf, TEST_OF } from './conditionRows.ts'
import { Values } from './Values.tsx'

interface Props {
  number: number
  /** Missing where it is still to be chosen. */
  field: Field | undefined
  offered: Field[]
  op: Op
  values: Literal[]
  onChange: (next: { path: string; test: Test }) => void
  onDrop: () => void
}

/** One row of a condition: which field, how it compares, with what. */
export function ConditionRow(props: Props): ReactElement {
  const { number, field, offered, op, values, onChange, onDrop } = props
  const ops = field ? opsOf(field) : []
  const chooseField = (name: string | undefined) => {
    const chosen = offered.find((f) => f.name === name)
    if (chosen) onChange({ path: chosen.name, test: TEST_OF[opsOf(chosen)[0]]([]) })
  }
  const update = (one: Op, values: Literal[]) =>
    field && onChange({ path: field.name, test: TEST_OF[one](values) })
  return (
    <fieldset className="constructor-test" aria-label={`Condition ${number}`}>
      <SelectSetting
        label="Field"
        quiet
        value={field?.name}
        none={field ? undefined : 'Choose a field…'}
        choices={offered.map((f) => ({ value: f.name, label: f.label }))}
        onChange={chooseField}
      />
      <Button
        size="small"
        variant="minimal"
        icon="cross"
        aria-label={`Remove condition ${number}`}
        onClick={onDrop}
      />
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

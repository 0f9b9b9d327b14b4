import { Button } from '@blueprintjs/core'
import type { ReactElement, ReactNode } from 'react'
import { holdsRows } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { describeOperator, type Op } from '../../contract/meta/describeOperator.ts'
import { capitalised } from '../../contract/quoted.ts'
import { isOtherPath, type Literal, type Operand, type Test, type When } from '../../contract/when.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { COUNT_OPS, opsOf, opsWithOther, TEST_OF } from './conditionRows.ts'
import { Values } from './Values.tsx'

interface Props {
  /** Accessible name: 'condition 2 of alternative 1'. */
  name: string
  /** Position in the condition, for moving the focus. */
  place: string
  /** Undefined until one is chosen. */
  field: Field | undefined
  offered: Field[]
  op: Op
  values: Operand[]
  /** Fields that the field can be compared with. */
  others: Field[]
  /** The condition of a test of rows, and its editor. */
  ofRow?: When
  rowEditor?: ReactNode
  onChange: (next: { path: string; test: Test }) => void
  /** Adds an alternative to this row; undefined if it cannot have one. */
  onOr?: () => void
  onDrop: () => void
}

/** One row of a condition: field, comparison and value. */
export function ConditionRow(props: Props): ReactElement {
  const { name, place, field, offered, op, values, others, ofRow, rowEditor, onChange, onOr, onDrop } = props
  const chooseField = (name: string | undefined) => {
    const chosen = offered.find((f) => f.name === name)
    if (chosen) onChange({ path: chosen.name, test: TEST_OF[opsOf(chosen)[0]]([]) })
  }
  const update = (one: Op, next: Operand[]) =>
    field && onChange({ path: field.name, test: TEST_OF[one](next, ofRow) })
  const other = values.find(isOtherPath)
  const literals = values.filter((value) => !isOtherPath(value)) as Literal[]
  return (
    <fieldset className="constructor-test" aria-label={capitalised(name)} data-condition={place}>
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
          value={other ? WITH_OTHER + op : op}
          choices={comparisons(field, op, others.length > 0 || other !== undefined)}
          onChange={(next) => {
            if (!next) return
            const isWithOther = next.startsWith(WITH_OTHER)
            const one = (isWithOther ? next.slice(WITH_OTHER.length) : next) as Op
            update(one, isWithOther ? [other ?? { path: '' }] : literals)
          }}
        />
      )}
      {field && other && (
        <SelectSetting
          label="Other field"
          quiet
          value={other.path || undefined}
          none={other.path ? undefined : 'Choose a field…'}
          choices={others.map((one) => ({ value: one.name, label: one.label }))}
          onChange={(path) => path && update(op, [{ path }])}
        />
      )}
      {field && COUNT_OPS.includes(op) && !other && (
        <TextSetting
          label="Number of rows"
          quiet
          type="number"
          value={String(literals[0] ?? '')}
          onChange={(text) => update(op, text === '' ? [] : [Number(text)])}
        />
      )}
      {rowEditor}
      {field && !other && !holdsRows(field) && op !== 'set' && op !== 'unset' && (
        <Values
          field={field}
          many={op === 'oneOf' || op === 'not'}
          values={literals}
          onChange={(next) => update(op, next)}
        />
      )}
      {field?.attrs?.is_on === false && (
        <p className="constructor-hint">{field.label} is switched off, so it counts as unanswered.</p>
      )}
    </fieldset>
  )
}

/** Prefix of comparisons with another field in the select. */
const WITH_OTHER = 'other '

/** The comparisons of a field, followed by those with another field if a comparable one exists. */
function comparisons(field: Field, op: Op, hasOthers: boolean): { value: string; label: string }[] {
  const own = opsOf(field)
  const all = own.includes(op) ? own : [...own, op]
  const words = (one: Op) => describeOperator(one, field)
  return [
    ...all.map((one) => ({ value: one as string, label: words(one) })),
    ...(hasOthers ? opsWithOther(field) : []).map((one) => ({
      value: WITH_OTHER + one,
      label: `${words(one)} the answer to…`,
    })),
  ]
}

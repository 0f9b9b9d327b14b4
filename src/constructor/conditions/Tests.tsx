import { Button } from '@blueprintjs/core'
import { Fragment, type ReactElement, type ReactNode } from 'react'
import { holdsRows, isQuestion } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { isComparable } from '../../contract/meta/checkConditions.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import { reachInRows } from '../../contract/meta/places.ts'
import { type Source, sourceOfPath } from '../../contract/seen.ts'
import type { Test, When } from '../../contract/when.ts'
import { useItemLabels } from '../../engine/core/useItemLabels.ts'
import { LimitNote } from '../controls/LimitNote.tsx'
import { ConditionRow } from './ConditionRow.tsx'
import { readTest, TEST_OF, withNewTest, withTest } from './conditionRows.ts'

interface Props {
  when: When
  /** Fields that the condition can refer to, by name. */
  reach: Map<string, Field>
  offered: Field[]
  /** Prefix of the places of these tests, for moving the focus ('any.1.'); '' for the condition itself. */
  at?: string
  /** Follows the number of a row in its accessible name ('of alternative 2'). */
  of?: string
  /** `when` is undefined once no test is left; the first existing place of `focus` gets the focus. */
  onChange: (when: When | undefined, focus: string[]) => void
  /** Makes the test of this path the first of two alternatives. */
  onOr?: (path: string) => void
  /** Editor of the alternatives; undefined if they can only be shown in words. */
  group?: ReactElement
  /** Buttons beside the one that adds a row. */
  children?: ReactNode
}

/** The rows of tests that must all hold, and the button that adds one. */
export function Tests(props: Props): ReactElement {
  const { when, reach, offered, at = '', of, onChange, onOr, group, children } = props
  const tests = Object.entries(when)
  const rows = tests.filter(([path]) => path !== 'any')
  const groups = tests.filter(([path]) => path === 'any')
  return (
    <>
      {/* PostgreSQL's jsonb reorders keys, so the group always comes last. */}
      {[...rows, ...groups].map(([path, test], i) => {
        if (path === 'any' && group) return <Fragment key={i}>{group}</Fragment>
        const read = path === 'any' ? undefined : readTest(test as Test)
        const field = reach.get(path)
        const place = at + i
        const drop = () => onChange(withTest(when, path), [at + Math.min(i, tests.length - 2)])
        if (!read || (path !== '' && !field))
          return <UnsupportedTest key={i} when={{ [path]: test }} reach={reach} place={place} onDrop={drop} />
        return (
          <ConditionRow
            key={i}
            name={[`condition ${i + 1}`, of].filter(Boolean).join(' ')}
            place={place}
            field={field}
            offered={offered.filter((f) => f.name === path || !Object.hasOwn(when, f.name))}
            others={offered.filter((f) => field && isOther(field, f))}
            {...read}
            rowEditor={
              field &&
              read.ofRow && (
                <RowCondition
                  field={field}
                  when={read.ofRow}
                  reach={reach}
                  place={place}
                  name={[`condition ${i + 1}`, of].filter(Boolean).join(' ')}
                  onChange={(ofRow, focus) =>
                    onChange(
                      withTest(when, path, {
                        path,
                        test: TEST_OF[read.op](read.values, ofRow ?? withNewTest()),
                      }),
                      focus,
                    )
                  }
                />
              )
            }
            onChange={(next) => onChange(withTest(when, path, next), [])}
            onOr={onOr && (() => onOr(path))}
            onDrop={drop}
          />
        )
      })}
      <LimitNote what="conditions" count={tests.length} />
      <div className="constructor-condition-buttons">
        {!Object.hasOwn(when, '') && tests.length < FORM_LIMITS.conditions && (
          <Button
            size="small"
            icon="plus"
            variant="minimal"
            text="And…"
            aria-label={of ? `Add to the condition ${of}` : 'Add to the condition'}
            onClick={() => onChange(withNewTest(when), [at + rows.length])}
          />
        )}
        {children}
      </div>
    </>
  )
}

interface RowConditionProps {
  /** The repeat. */
  field: Field
  when: When
  reach: Map<string, Field>
  place: string
  name: string
  onChange: (when: When | undefined, focus: string[]) => void
}

/** The condition on the columns of one row, whose tests must all hold. */
function RowCondition({ field, when, reach, place, name, onChange }: RowConditionProps): ReactElement {
  const columns = (field.fields ?? []).filter((column) => isQuestion(column) && !holdsRows(column))
  return (
    <fieldset className="constructor-of-row" aria-label={`In the row of ${name}`}>
      <Tests
        when={when}
        reach={reachInRows(reach, field.name)}
        offered={columns}
        at={`${place}.row.`}
        of={`in the row of ${name}`}
        onChange={onChange}
      />
    </fieldset>
  )
}

/** Sources that only forms name, and not automations. */
const OF_FORMS: (Source | undefined)[] = ['client', 'last']

/** True if a field can be compared with another one: both are answers of the same form, or of the client or last time. */
function isOther(field: Field, other: Field): boolean {
  const isAnswer = [field, other].every(
    ({ name }) => !name.includes('.') || OF_FORMS.includes(sourceOfPath(name)),
  )
  return isAnswer && other.name !== field.name && isComparable(field, other)
}

interface UnsupportedTestProps {
  when: When
  reach: Map<string, Field>
  place: string
  onDrop: () => void
}

function UnsupportedTest({ when, reach, place, onDrop }: UnsupportedTestProps) {
  return (
    <div className="constructor-saved" data-condition={place}>
      <p>
        <ConditionWords when={when} reach={reach} />
      </p>
      <Button
        size="small"
        variant="minimal"
        icon="cross"
        aria-label="Remove this part of the condition"
        onClick={onDrop}
      />
    </div>
  )
}

/** A condition as a sentence, with the labels of lookup items. */
function ConditionWords({ when, reach }: { when: When; reach: Map<string, Field> }): string {
  return useItemLabels((itemLabel) => describeCondition(when, reach, itemLabel))
}

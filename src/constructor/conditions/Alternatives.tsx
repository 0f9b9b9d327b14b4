import { Button } from '@blueprintjs/core'
import { Fragment, type ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import type { When } from '../../contract/when.ts'
import { LimitNote } from '../controls/LimitNote.tsx'
import { withNewTest } from './conditionRows.ts'
import { Tests } from './Tests.tsx'

interface Props {
  list: When[]
  /** The condition has no other tests. */
  isAlone: boolean
  reach: Map<string, Field>
  offered: Field[]
  /** An alternative without any test left is undefined. */
  onChange: (list: (When | undefined)[], focus: string[]) => void
  announce: (words: string) => void
}

/** Gets the focus once the group is removed: the first row of the condition. */
const FIRST = '0'

/** The alternatives of a condition, one of which must hold; the rows of an alternative must all hold. */
export function Alternatives({ list, isAlone, reach, offered, onChange, announce }: Props): ReactElement {
  const drop = (at: number) => {
    announce(`Alternative ${at + 1} removed`)
    onChange(list.toSpliced(at, 1), [`any.${Math.min(at, list.length - 2)}`, FIRST])
  }
  return (
    <fieldset className="constructor-alternatives" data-condition="any">
      <legend>{isAlone ? 'Any of these' : 'And any of these'}</legend>
      <Button
        size="small"
        variant="minimal"
        icon="cross"
        aria-label="Remove the group of alternatives"
        onClick={() => {
          announce('Group of alternatives removed')
          onChange([], [FIRST])
        }}
      />
      {list.map((when, i) => (
        <Fragment key={i}>
          {i > 0 && <p className="constructor-or">or</p>}
          <fieldset aria-label={`Alternative ${i + 1}`} data-condition={`any.${i}`}>
            <Tests
              when={when}
              reach={reach}
              offered={offered}
              at={`any.${i}.`}
              of={`of alternative ${i + 1}`}
              onChange={(next, focus) => (next ? onChange(list.with(i, next), focus) : drop(i))}
            >
              {Object.keys(when).length > 1 && (
                <Button
                  size="small"
                  variant="minimal"
                  icon="cross"
                  text="Remove"
                  aria-label={`Remove alternative ${i + 1}`}
                  onClick={() => drop(i)}
                />
              )}
            </Tests>
          </fieldset>
        </Fragment>
      ))}
      <LimitNote what="alternatives" count={list.length} />
      {list.length < FORM_LIMITS.alternatives && (
        <Button
          size="small"
          icon="plus"
          variant="minimal"
          text="Or…"
          aria-label="Add an alternative"
          onClick={() => onChange([...list, withNewTest()], [`any.${list.length}.0`])}
        />
      )}
    </fieldset>
  )
}

import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { describeCondition } from '../../contract/meta/describeCondition.ts'
import type { Test, When } from '../../contract/when.ts'
import type { Address } from '../address.ts'
import { useEditorContext } from '../editorContext.ts'
import { Messages } from '../settings/Messages.tsx'
import { useItemLabels } from '../useItemLabels.ts'
import { ConditionRow } from './ConditionRow.tsx'
import { readTest, withNewTest, withTest } from './conditionRows.ts'
import { offeredAt, reachOf } from './reach.ts'

interface Props {
  label: string
  /** Of the group or field that the condition belongs to. */
  address: Address
  when: When
  messages: string[]
  /** Without any test left there is no condition. */
  onChange: (when: When | undefined) => void
}

/** Builds a condition row by row, all of which must hold; what is more than a row says is shown in words and kept. */
export function Condition({ label, address, when, messages, onChange }: Props): ReactElement {
  const { groups } = useEditorContext()
  const reach = reachOf(groups, address)
  const offered = offeredAt(groups, address)
  return (
    <fieldset className="constructor-condition">
      <legend>{label}</legend>
      {Object.entries(when).map(([path, test], i) => {
        const read = path === 'any' ? undefined : readTest(test as Test)
        const field = reach.get(path)
        const drop = () => onChange(withTest(when, path))
        if (!read || (path !== '' && !field))
          return <UnsupportedTest key={i} when={{ [path]: test }} reach={reach} onDrop={drop} />
        return (
          <ConditionRow
            key={i}
            number={i + 1}
            field={field}
            offered={offered.filter((f) => f.name === path || !Object.hasOwn(when, f.name))}
            {...read}
            onChange={(next) => onChange(withTest(when, path, next))}
            onDrop={drop}
          />
        )
      })}
      {!Object.hasOwn(when, '') && (
        <Button
          size="small"
          icon="plus"
          variant="minimal"
          text="And…"
          aria-label="Add to the condition"
          onClick={() => onChange(withNewTest(when))}
        />
      )}
      <Messages messages={messages} />
    </fieldset>
  )
}

function UnsupportedTest({
  when,
  reach,
  onDrop,
}: {
  when: When
  reach: Parameters<typeof ConditionWords>[0]['reach']
  onDrop: () => void
}) {
  return (
    <div className="constructor-saved">
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

/** A condition as a sentence in which also the items of lists have their words. */
function ConditionWords({ when, reach }: { when: When; reach: Map<string, Field> }): string {
  return useItemLabels((itemLabel) => describeCondition(when, reach, itemLabel))
}

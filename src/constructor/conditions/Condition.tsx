import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import { MOST } from '../../contract/meta/formLimits.ts'
import type { When } from '../../contract/when.ts'
import { Messages } from '../controls/Messages.tsx'
import type { Address } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { Alternatives } from './Alternatives.tsx'
import { isEditable, withAlternatives, withNewGroup, withTestInGroup } from './conditionRows.ts'
import { offeredAt, reachOf } from './reach.ts'
import { Tests } from './Tests.tsx'
import { useNextFocus } from './useNextFocus.ts'

interface Props {
  label: string
  /** Address of the group or field that the condition belongs to. */
  address: Address
  when: When
  messages: string[]
  /** Condition of a check, which can also test the field itself. */
  isCheck?: boolean
  /** `when` is undefined once no test is left. */
  onChange: (when: When | undefined) => void
}

/**
 * Editor of a condition: rows that must all hold, one of which may be a group of alternatives. Anything more complex is
 * shown in words and left unchanged.
 */
export function Condition({ label, address, when, messages, isCheck, onChange }: Props): ReactElement {
  const { groups, announce } = useEditorContext()
  const { box, focusNext } = useNextFocus<HTMLFieldSetElement>()
  const reach = reachOf(groups, address)
  const offered = offeredAt(groups, address, isCheck)
  const change = (next: When | undefined, focus: string[]) => {
    focusNext(focus)
    onChange(next)
  }
  const common = { reach, offered }
  const hasGroup = when.any !== undefined
  return (
    <fieldset className="constructor-condition" ref={box}>
      <legend>{label}</legend>
      <Tests
        {...common}
        when={when}
        onChange={change}
        onOr={hasGroup ? undefined : (path) => change(withTestInGroup(when, path), ['any.1.0'])}
        group={
          when.any?.every((one) => isEditable(one, reach)) ? (
            <Alternatives
              {...common}
              list={when.any}
              isAlone={Object.keys(when).length === 1}
              onChange={(list, focus) => change(withAlternatives(when, list), focus)}
              announce={announce}
            />
          ) : undefined
        }
      >
        {!hasGroup && Object.keys(when).length < MOST.conditions && (
          <Button
            size="small"
            icon="plus"
            variant="minimal"
            text="Add a group: any of these"
            onClick={() => change(withNewGroup(when), ['any.0.0'])}
          />
        )}
      </Tests>
      <Messages messages={messages} />
    </fieldset>
  )
}

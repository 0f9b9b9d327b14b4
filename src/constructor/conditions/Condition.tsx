import { Button } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { FORM_LIMITS } from '../../contract/meta/formLimits.ts'
import type { When } from '../../contract/when.ts'
import { Messages } from '../controls/Messages.tsx'
import type { Address } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { Alternatives } from './Alternatives.tsx'
import { isEditable, withAlternatives, withNewGroup, withTestInGroup } from './conditionRows.ts'
import { offeredAt, reachOf } from './reach.ts'
import { Tests } from './Tests.tsx'
import { useNextFocus } from './useNextFocus.ts'

interface Edited {
  label: string
  when: When
  messages: string[]
  /** `when` is undefined once no test is left. */
  onChange: (when: When | undefined) => void
}

interface Props extends Edited {
  /** Address of the group or field that the condition belongs to. */
  address: Address
  /** Condition of a check, which can also test the field itself. */
  isCheck?: boolean
}

/** Editor of a condition of a group or field of the form that is open. */
export function Condition({ address, isCheck, ...edited }: Props): ReactElement {
  const form = useEditorContext()
  return (
    <ConditionEditor
      {...edited}
      reach={reachOf(form, address)}
      offered={offeredAt(form, address, isCheck)}
      announce={form.announce}
    />
  )
}

interface EditorProps extends Edited {
  /** The fields that the condition can refer to, by path. */
  reach: Map<string, Field>
  offered: Field[]
  announce: (words: string) => void
}

/**
 * Editor of a condition: rows that must all hold, one of which may be a group of alternatives. Anything more complex is
 * shown in words and left unchanged.
 */
export function ConditionEditor(props: EditorProps): ReactElement {
  const { label, when, messages, reach, offered, announce, onChange } = props
  const { box, focusNext } = useNextFocus<HTMLFieldSetElement>()
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
        {!hasGroup && Object.keys(when).length < FORM_LIMITS.conditions && (
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

import type { ReactElement } from 'react'
import type { When } from '../../contract/when.ts'
import type { Address } from '../address.ts'
import { Condition } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { type EditInfo, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { RadioSetting } from './RadioSetting.tsx'

interface Props {
  address: Address
  when: When | undefined
  onChange: (when: When | undefined, info: EditInfo) => void
}

/** Whether a group or field is always shown, or only while a condition holds. */
export function VisibleSetting({ address, when, onChange }: Props): ReactElement {
  const { errors } = useEditorContext()
  const info = { what: 'Condition' }
  return (
    <>
      <RadioSetting
        label="Shown"
        value={when ? 'when' : 'always'}
        choices={[
          { value: 'always', label: 'Always' },
          { value: 'when', label: 'Only when…' },
        ]}
        onChange={(value) => onChange(value === 'when' ? withNewTest() : undefined, info)}
      />
      {when && (
        <Condition
          label="Shown only when"
          address={address}
          when={when}
          messages={messagesAt(errors, address, 'attrs.when')}
          onChange={(next) => onChange(next, info)}
        />
      )}
    </>
  )
}

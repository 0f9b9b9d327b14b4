import type { ReactElement } from 'react'
import type { Field, FieldAttrs } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { Condition } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { RadioSetting } from './RadioSetting.tsx'

type Must = 'optional' | 'always' | 'when'

const ATTRS: Record<Must, () => FieldAttrs> = {
  optional: () => ({ required: undefined, required_when: undefined }),
  always: () => ({ required: true, required_when: undefined }),
  when: () => ({ required: undefined, required_when: withNewTest() }),
}

/** Whether a field that is shown must be answered: never, always, or while a condition holds. */
export function RequiredSetting(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const { errors } = useEditorContext()
  const { required, required_when } = field.attrs ?? {}
  const must: Must = required ? 'always' : required_when ? 'when' : 'optional'
  return (
    <>
      <RadioSetting
        label="Must be answered"
        value={must}
        choices={[
          { value: 'optional', label: 'No, it is optional' },
          { value: 'always', label: 'Always, while it is shown' },
          { value: 'when', label: 'Only when…' },
        ]}
        onChange={(value) => set(ATTRS[value](), { what: 'Required' })}
      />
      {must === 'when' && (
        <Condition
          label="Required only when"
          address={address}
          when={required_when!}
          messages={messagesAt(errors, address, 'attrs.required_when')}
          onChange={(next) => set({ required_when: next }, { what: 'Required' })}
        />
      )}
    </>
  )
}

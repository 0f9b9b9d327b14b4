import { Switch } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Field, FieldAttrs } from '../../contract/generated.ts'
import type { When } from '../../contract/when.ts'
import { Condition } from '../conditions/Condition.tsx'
import { withNewTest } from '../conditions/conditionRows.ts'
import { InsertableText } from '../controls/InsertableText.tsx'
import { RadioSetting } from '../controls/SelectSetting.tsx'
import type { Address, Item } from '../state/address.ts'
import { setAttrs } from '../state/edit.ts'
import { type EditInfo, type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { messagesAt } from '../state/editorErrors.ts'
import { insertableAt } from './insertableAt.ts'

/** The attributes that make a field optional, always required, or required while a condition holds. */
export const MUST: Record<Must, () => FieldAttrs> = {
  optional: () => ({ required: undefined, required_when: undefined, required_text: undefined }),
  always: () => ({ required: true, required_when: undefined }),
  when: () => ({ required: undefined, required_when: withNewTest() }),
}

interface Props {
  address: Address
  when: When | undefined
  onChange: (when: When | undefined, info: EditInfo) => void
}

/** Radio buttons that make a group or field visible always, or only while a condition holds. */
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

type Must = 'optional' | 'always' | 'when'

/** Radio buttons that make a visible field optional, always required, or required while a condition holds. */
export function RequiredSetting(props: { field: Field; address: Address; set: SetAttrs }): ReactElement {
  const { field, address, set } = props
  const form = useEditorContext()
  const { errors } = form
  const { required, required_when, required_text } = field.attrs ?? {}
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
        onChange={(value) => set(MUST[value](), { what: 'Required' })}
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
      {must !== 'optional' && (
        <InsertableText
          label="Text where it is not answered"
          insertable={insertableAt(form, address, field)}
          hint="Leave it empty to say it in the words of the label"
          long="wraps"
          maxLength={200}
          value={required_text ?? ''}
          messages={messagesAt(errors, address, 'attrs.required_text')}
          onChange={(text) => set({ required_text: text || undefined }, { what: 'Required', typing: true })}
        />
      )}
    </>
  )
}

/** The on/off switch of a group or field, with a note on what off means. */
export function EnabledSetting({ item, address }: { item: Item; address: Address }): ReactElement {
  const { edit } = useEditorContext()
  const isOn = item.attrs?.is_on !== false
  const toggle = () =>
    edit((groups) => setAttrs(groups, address, { is_on: !isOn }), {
      what: isOn ? 'Switched off' : 'Switched on',
      at: address,
    })
  return (
    <div className="constructor-setting">
      <Switch label="In use" checked={isOn} onChange={toggle} />
      {!isOn && <p className="constructor-hint">Staff do not see it. Answers given before are kept.</p>}
    </div>
  )
}

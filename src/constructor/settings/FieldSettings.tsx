import type { ReactElement } from 'react'
import type { Field } from '../../contract/generated.ts'
import { answeredIn } from '../../contract/meta/fieldUsage.ts'
import type { Address } from '../address.ts'
import { setAttrs, setLabel } from '../edit.ts'
import { type SetAttrs, useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { answersAt } from '../fieldUsage.ts'
import { AnswerSettings } from './AnswerSettings.tsx'
import { EnabledSetting } from './EnabledSetting.tsx'
import { GroupOfField } from './GroupOfField.tsx'
import { RemoveButton } from './RemoveButton.tsx'
import { RequiredSetting } from './RequiredSetting.tsx'
import { TextSetting } from './TextSetting.tsx'
import { TypeSetting } from './TypeSetting.tsx'
import { UseSettings } from './UseSettings.tsx'
import { VisibleSetting } from './VisibleSetting.tsx'

/** What can be set of a field or a column, from its label to its removal. */
export function FieldSettings({ field, address }: { field: Field; address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { edit, errors } = editorContext
  const { help, when } = field.attrs ?? {}
  const count = answersAt(editorContext, address)
  const set: SetAttrs = (attrs, info) =>
    edit((groups) => setAttrs(groups, address, attrs), { ...info, at: address })
  return (
    <>
      <p className="constructor-facts">
        Stored as <code>{field.name}</code>, which never changes
        {count > 0 && ` · ${answeredIn(editorContext.meta, count)}`}
      </p>
      <TextSetting
        label="Label"
        maxLength={200}
        value={field.label}
        messages={[...messagesAt(errors, address, 'label'), ...messagesAt(errors, address, 'name')]}
        onChange={(label) =>
          edit((groups) => setLabel(groups, address, label), { what: 'Label', at: address, typing: true })
        }
      />
      <TextSetting
        label="Help"
        hint="A sentence under the label; leave it empty where the label is enough"
        long
        maxLength={1000}
        value={help ?? ''}
        onChange={(text) => set({ help: text || undefined }, { what: 'Help', typing: true })}
      />
      <EnabledSetting item={field} address={address} />
      <h3>Answer</h3>
      <TypeSetting field={field} address={address} />
      <AnswerSettings field={field} address={address} set={set} />
      <h3>When it is asked</h3>
      <RequiredSetting field={field} address={address} set={set} />
      <VisibleSetting address={address} when={when} onChange={(next, info) => set({ when: next }, info)} />
      <h3>Place and use</h3>
      <GroupOfField address={address} />
      <UseSettings field={field} set={set} />
      <RemoveButton address={address} />
    </>
  )
}

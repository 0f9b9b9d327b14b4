import type { ReactElement } from 'react'
import type { Group } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { setAttrs, setLabel } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { messagesAt } from '../editorErrors.ts'
import { EnabledSetting } from './EnabledSetting.tsx'
import { RemoveButton } from './RemoveButton.tsx'
import { TextSetting } from './TextSetting.tsx'
import { VisibleSetting } from './VisibleSetting.tsx'

/** What can be set of a group: its heading, whether it is in use and when it is shown. */
export function GroupSettings({ group, address }: { group: Group; address: Address }): ReactElement {
  const { edit, errors } = useEditorContext()
  return (
    <>
      <TextSetting
        label="Label"
        hint="The heading above its fields"
        maxLength={200}
        value={group.label}
        messages={messagesAt(errors, address, 'label')}
        onChange={(label) =>
          edit((groups) => setLabel(groups, address, label), { what: 'Label', at: address, typing: true })
        }
      />
      <EnabledSetting item={group} address={address} />
      <VisibleSetting
        address={address}
        when={group.attrs?.when}
        onChange={(when, info) =>
          edit((groups) => setAttrs(groups, address, { when }), { ...info, at: address })
        }
      />
      <RemoveButton address={address} />
    </>
  )
}

import { Switch } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Address, Item } from '../address.ts'
import { setAttrs } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'

/** The switch of a group or field with what switching off means. */
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

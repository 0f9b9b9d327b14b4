import { Switch } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { Address, Item } from '../address.ts'
import { useBench } from '../bench.ts'
import { setAttrs } from '../edit.ts'

/** The switch of a group or field with what switching off means. */
export function Switched({ item, address }: { item: Item; address: Address }): ReactElement {
  const { edit } = useBench()
  const isOn = item.attrs?.is_on !== false
  const turn = () =>
    edit((groups) => setAttrs(groups, address, { is_on: !isOn }), {
      what: isOn ? 'Switched off' : 'Switched on',
      at: address,
    })
  return (
    <div className="constructor-setting">
      <Switch label="In use" checked={isOn} onChange={turn} />
      {!isOn && <p className="constructor-hint">Staff do not see it. Answers given before are kept.</p>}
    </div>
  )
}

import type { ReactElement } from 'react'
import { type Address, itemAt } from '../address.ts'
import { moveTo } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { SelectSetting } from './SelectSetting.tsx'

/** The group that a field stands in; another one takes it at its end. Columns stay in their repeat. */
export function GroupOfField({ address }: { address: Address }): ReactElement | null {
  const { groups, edit, select, announce } = useEditorContext()
  if (address.length !== 2) return null
  const move = (name: string | undefined) => {
    const group = groups.find((g) => g.name === name)
    if (!group || name === address[0]) return
    const placed = moveTo(groups, address, [group.name], group.fields.length)
    edit(() => placed.groups, { what: 'Moved', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`${itemAt(groups, address)?.label} moved to the end of ${group.label}`)
  }
  return (
    <SelectSetting
      label="Group"
      value={address[0]}
      choices={groups.map(({ name, label }) => ({ value: name, label }))}
      onChange={move}
    />
  )
}

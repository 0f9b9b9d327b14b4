import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { useBench } from '../bench.ts'
import { addGroup } from '../edit.ts'
import { TextSetting } from './TextSetting.tsx'

/** Asks for the label of a new group and adds it at the end. */
export function AddGroup(): ReactElement {
  const { groups, edit, select, announce } = useBench()
  const [label, setLabel] = useState('')
  const [wrong, setWrong] = useState<string[]>([])
  const add = () => {
    if (!label.trim()) return setWrong(['Enter a label for the group'])
    const placed = addGroup(groups, label.trim())
    edit(() => placed.groups, { what: 'Added', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`${label.trim()} added`)
  }
  return (
    <form
      noValidate
      aria-labelledby="constructor-settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (!label.trim()) event.currentTarget.querySelector('input')?.focus()
        add()
      }}
    >
      <TextSetting
        label="Label"
        hint="The heading above its fields"
        value={label}
        maxLength={200}
        messages={wrong}
        own
        onChange={setLabel}
      />
      <div className="constructor-buttons">
        <Button type="submit" intent="primary" text="Add group" />
        <Button text="Cancel" onClick={() => select({ address: [] })} />
      </div>
    </form>
  )
}

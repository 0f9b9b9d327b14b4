import { type ReactElement, useState } from 'react'
import { addGroup } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { AddForm } from './AddForm.tsx'

/** Asks for the label of a new group and adds it at the end. */
export function AddGroup(): ReactElement {
  const { groups, edit, select, announce } = useEditorContext()
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
    <AddForm
      hint="The heading above its fields"
      label={label}
      onLabel={setLabel}
      messages={wrong}
      text="Add group"
      onAdd={add}
      onCancel={() => select({ address: [] })}
    />
  )
}

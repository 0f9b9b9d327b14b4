import { Radio, RadioGroup } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { FieldType } from '../../contract/generated.ts'
import type { Address } from '../address.ts'
import { addField } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { reservedNames } from '../fieldUsage.ts'
import { AddForm } from './AddForm.tsx'
import { Messages } from './Messages.tsx'

/** Asks for label and type of a new field (inside a repeat: column) and adds it at the end of its parent. */
export function AddField({ parent }: { parent: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { edit, select, announce } = editorContext
  const [label, setLabel] = useState('')
  const [type, setType] = useState<FieldType>()
  const [tried, setTried] = useState(false)
  const isColumn = parent.length > 1
  const noLabel = tried && !label.trim() ? ['Enter a label for the field'] : []
  const noType = tried && !type ? ['Choose what kind of answer it takes'] : []
  const add = () => {
    setTried(true)
    if (!label.trim() || !type) return
    const named = { label: label.trim(), type }
    const placed = addField(
      editorContext.groups,
      parent,
      named,
      isColumn ? [] : reservedNames(editorContext, type),
    )
    edit(() => placed.groups, { what: 'Added', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`${named.label} added`)
  }
  return (
    <AddForm
      hint="What staff read"
      label={label}
      onLabel={setLabel}
      messages={noLabel}
      text={isColumn ? 'Add column' : 'Add field'}
      onAdd={add}
      onCancel={() => select({ address: parent })}
    >
      <RadioGroup
        className="constructor-types"
        label="What kind of answer it takes"
        selectedValue={type}
        onChange={(event) => setType(event.currentTarget.value as FieldType)}
      >
        {Object.entries(FIELD_TYPES)
          .filter(([one]) => !(isColumn && one === 'repeat'))
          .map(([one, { title, about }]) => (
            <Radio key={one} value={one}>
              {title} <span className="constructor-facts">{about}</span>
            </Radio>
          ))}
      </RadioGroup>
      <Messages messages={noType} />
    </AddForm>
  )
}

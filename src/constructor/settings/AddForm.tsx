import { Button, Radio, RadioGroup } from '@blueprintjs/core'
import { type ReactElement, type ReactNode, useState } from 'react'
import { FIELD_TYPES } from '../../contract/fieldTypes.ts'
import type { FieldType } from '../../contract/generated.ts'
import { limitExceeded, MAX_LABEL_LENGTH } from '../../contract/meta/formLimits.ts'
import { DEEPEST } from '../../contract/meta/places.ts'
import { LimitNote } from '../controls/LimitNote.tsx'
import { Messages } from '../controls/Messages.tsx'
import { TextSetting } from '../controls/TextSetting.tsx'
import { type Address, listAt } from '../state/address.ts'
import { addField, addGroup } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { reservedNames } from '../state/fieldUsage.ts'

interface Props {
  hint: string
  label: string
  onLabel: (label: string) => void
  /** Validation messages of the label. */
  messages: string[]
  /** Label of the submit button. */
  text: string
  onAdd: () => void
  onCancel: () => void
  /** Controls below the label. */
  children?: ReactNode
}

/** Form for the label of a new item; submitting without one moves the focus to the label. */
export function AddForm({
  hint,
  label,
  onLabel,
  messages,
  text,
  onAdd,
  onCancel,
  children,
}: Props): ReactElement {
  return (
    <form
      noValidate
      aria-labelledby="constructor-settings"
      onSubmit={(event) => {
        event.preventDefault()
        if (!label.trim()) event.currentTarget.querySelector('textarea')?.focus()
        onAdd()
      }}
    >
      <TextSetting
        label="Label"
        hint={hint}
        value={label}
        long="wraps"
        maxLength={MAX_LABEL_LENGTH}
        messages={messages}
        own
        onChange={onLabel}
      />
      {children}
      <div className="constructor-buttons">
        <Button type="submit" intent="primary" text={text} />
        <Button text="Cancel" onClick={onCancel} />
      </div>
    </form>
  )
}

/** Form that adds a group with a label at the end. */
export function AddGroup(): ReactElement {
  const { groups, edit, select, announce } = useEditorContext()
  const [label, setLabel] = useState('')
  const [wrong, setWrong] = useState<string[]>([])
  const add = () => {
    if (!label.trim()) return setWrong(['Enter a label for the group'])
    const placed = addGroup(groups, label.trim())
    const full = limitExceeded(groups, placed.groups)
    if (full) return setWrong([full])
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

/** Form that adds a field (inside a repeat: a column) with label and type at the end of its parent. */
export function AddField({ parent }: { parent: Address }): ReactElement {
  const editorContext = useEditorContext()
  const { edit, select, announce } = editorContext
  const [label, setLabel] = useState('')
  const [type, setType] = useState<FieldType>()
  const [tried, setTried] = useState(false)
  const [full, setFull] = useState<string[]>([])
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
    const exceeded = limitExceeded(editorContext.groups, placed.groups)
    if (exceeded) return setFull([exceeded])
    edit(() => placed.groups, { what: 'Added', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`${named.label} added`)
  }
  return (
    <AddForm
      hint="What staff read"
      label={label}
      onLabel={setLabel}
      messages={[...noLabel, ...full]}
      text={isColumn ? 'Add column' : 'Add field'}
      onAdd={add}
      onCancel={() => select({ address: parent })}
    >
      {isColumn && <LimitNote what="columns" count={listAt(editorContext.groups, parent).length} />}
      <RadioGroup
        className="constructor-types"
        label="What kind of answer it takes"
        selectedValue={type}
        onChange={(event) => setType(event.currentTarget.value as FieldType)}
      >
        {Object.entries(FIELD_TYPES)
          .filter(([, { holdsRows }]) => !holdsRows || parent.length <= DEEPEST)
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

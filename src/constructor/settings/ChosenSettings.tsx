import { Button, Checkbox } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { offeredOptions, takesSeveralChoices } from '../../contract/fieldTypes.ts'
import type { Field, Option } from '../../contract/generated.ts'
import { limitExceeded } from '../../contract/meta/formLimits.ts'
import { notify } from '../../engine/core/notices.ts'
import { Disclosure } from '../controls/Disclosure.tsx'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { addFollowUp } from '../state/edit.ts'
import { type SetAttrs, useEditorContext } from '../state/editorContext.ts'
import { reservedNames } from '../state/fieldUsage.ts'

interface Props {
  field: Field
  address: Address
  set: SetAttrs
}

/** Effects of a selected choice: a follow-up question, or the exclusion of all other choices. */
export function ChosenSettings({ field, address, set }: Props): ReactElement {
  const options = field.attrs?.options ?? []
  return (
    <>
      <FollowUp field={field} address={address} />
      {takesSeveralChoices(field) && <Exclusive options={options} set={set} />}
    </>
  )
}

/** Adds a field right below that is visible only when a choice such as 'Other' is selected. */
function FollowUp({ field, address }: { field: Field; address: Address }) {
  const editorContext = useEditorContext()
  const { groups, edit, select, announce } = editorContext
  const [value, setValue] = useState<Option['value']>()
  const option = offeredOptions(field).find((one) => one.value === value)
  const add = () => {
    if (!option) return announce('Choose the choice first')
    const taken = address.length > 2 ? [] : reservedNames(editorContext, 'text')
    const placed = addFollowUp(groups, address, option, taken)
    const full = limitExceeded(groups, placed.groups)
    if (full) return notify({ kind: 'error', text: full })
    edit(() => placed.groups, { what: 'Added', at: placed.address })
    select({ address: placed.address, focus: true })
    announce(`Added: a question where ${option.label} is chosen`)
  }
  return (
    <div className="constructor-add-option">
      <SelectSetting
        label="Ask for more where this is chosen"
        value={option?.value}
        choices={offeredOptions(field)}
        none="Choose…"
        onChange={setValue}
      />
      <Button icon="plus" text="Add question" aria-disabled={!option} onClick={add} />
    </div>
  )
}

function Exclusive({ options, set }: { options: Option[]; set: SetAttrs }) {
  const count = options.filter(({ exclusive }) => exclusive).length
  const change = (i: number) => {
    const { exclusive, ...option } = options[i]
    const next = exclusive ? option : { ...option, exclusive: true as const }
    set({ options: options.with(i, next) }, { what: `Choice ${option.value}` })
  }
  return (
    <Disclosure summary={`Choices that exclude all others${count > 0 ? ` (${count})` : ''}`}>
      <fieldset className="constructor-exclusive">
        <legend className="visually-hidden">Choices that exclude all others</legend>
        {options.map((option, i) => (
          <Checkbox
            key={`${typeof option.value} ${option.value}`}
            label={option.label}
            checked={option.exclusive === true}
            onChange={() => change(i)}
          />
        ))}
      </fieldset>
    </Disclosure>
  )
}

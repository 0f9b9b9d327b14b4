import type { ReactElement } from 'react'
import { isSingleValue } from '../../contract/fieldTypes.ts'
import type { Field } from '../../contract/generated.ts'
import { offeredAt } from '../conditions/reach.ts'
import { SelectSetting } from '../controls/SelectSetting.tsx'
import type { Address } from '../state/address.ts'
import { useEditorContext } from '../state/editorContext.ts'

interface Props {
  /** What the text is called: 'help'. */
  name: string
  text: string
  maxLength: number
  address: Address
  onChange: (text: string) => void
}

/** A picker that puts a placeholder for an answer, or for a value from outside of the form, at the end of a text. */
export function InsertAnswer({ name, text, maxLength, address, onChange }: Props): ReactElement | null {
  const form = useEditorContext()
  const fields = offeredAt(form, address).filter(mayStandInText)
  if (fields.length === 0) return null
  return (
    <SelectSetting
      label={`Answer in the ${name}`}
      quiet
      value={undefined}
      none="Insert an answer…"
      choices={fields.map((field) => ({ value: field.name, label: field.label }))}
      onChange={(chosen) => chosen && onChange(`${text} {${chosen}}`.trim().slice(0, maxLength))}
    />
  )
}

/** Labels of lookup items are not known where texts are filled, and sensitive answers are for their field alone. */
function mayStandInText(field: Field): boolean {
  return isSingleValue(field) && !field.attrs?.lookup && !field.attrs?.sensitive
}

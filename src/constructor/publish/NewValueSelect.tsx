import { HTMLSelect } from '@blueprintjs/core'
import type { ReactElement } from 'react'
import type { offeredOptions } from '../../contract/fieldTypes.ts'

interface Props {
  label: string
  /** JSON of the chosen value; empty: none is chosen. */
  value: string
  /** Label of the option for no choice. */
  none: string
  choices: ReturnType<typeof offeredOptions>
  onChange: (value: string) => void
}

/** Selects what a stored value becomes: a choice of its new field, no answer, or nothing yet. */
export function NewValueSelect({ label, value, none, choices, onChange }: Props): ReactElement {
  return (
    <HTMLSelect
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    >
      <option value="">{none}</option>
      {choices.map((option) => (
        <option key={option.value} value={JSON.stringify(option.value)}>
          {option.label}
        </option>
      ))}
      <option value="null">No answer</option>
    </HTMLSelect>
  )
}

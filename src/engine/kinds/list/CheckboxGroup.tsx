import { Checkbox } from '@blueprintjs/core'
import type { Filter } from './state/filters.ts'

interface Props {
  filter: Filter
  text: string
  onChange: (text: string) => void
}

/** A filter by several choices, as checkboxes; its value has them in the order of the options. */
export default function CheckboxGroup({ filter: { title, needed, options = [] }, text, onChange }: Props) {
  const chosen = text.split(',')
  const toggle = (value: string) => {
    const isChosen = (one: string) => chosen.includes(one) !== (one === value)
    const left = options.map((option) => String(option.value)).filter(isChosen)
    // A required filter keeps its last choice.
    if (left.length > 0 || !needed) onChange(left.join())
  }
  return (
    <fieldset className="list-checkboxes">
      <legend>{title}</legend>
      {options.map(({ value, label }) => (
        <Checkbox
          key={String(value)}
          inline
          label={label}
          checked={chosen.includes(String(value))}
          onChange={() => toggle(String(value))}
        />
      ))}
    </fieldset>
  )
}

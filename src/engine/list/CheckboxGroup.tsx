import { Checkbox } from '@blueprintjs/core'
import type { Filter } from './filters.ts'

interface Props {
  filter: Filter
  text: string
  onChange: (text: string) => void
}

/** A filter of which several choices can be ticked; they stay in the order of its options. */
export default function CheckboxGroup({ filter: { title, needed, options = [] }, text, onChange }: Props) {
  const chosen = text.split(',')
  const toggle = (value: string) => {
    const isChosen = (one: string) => chosen.includes(one) !== (one === value)
    const left = options.map((option) => String(option.value)).filter(isChosen)
    // The last tick of what always has a value stays.
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

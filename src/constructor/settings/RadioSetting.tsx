import { Radio, RadioGroup } from '@blueprintjs/core'
import type { ReactElement } from 'react'

interface Props<V extends string> {
  label: string
  value: V
  choices: { value: V; label: string }[]
  onChange: (value: V) => void
}

/** One of a few settings, all of them in sight. */
export function RadioSetting<V extends string>({ label, value, choices, onChange }: Props<V>): ReactElement {
  return (
    <RadioGroup
      className="constructor-setting"
      label={label}
      selectedValue={value}
      onChange={(event) => onChange(event.currentTarget.value as V)}
    >
      {choices.map((choice) => (
        <Radio key={choice.value} value={choice.value} label={choice.label} />
      ))}
    </RadioGroup>
  )
}

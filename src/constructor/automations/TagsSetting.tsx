import { Button, HTMLSelect } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { Messages } from '../controls/Messages.tsx'

interface Props {
  label: string
  hint?: string
  /** First option of the select that adds one: 'Add a receiver…'. */
  add: string
  values: string[]
  choices: { value: string; label: string }[]
  onChange: (values: string[]) => void
  messages?: string[]
}

/** Several of a few choices: each chosen one is a tag that removes it, and a select adds another. */
export function TagsSetting(props: Props): ReactElement {
  const { label, hint, add, values, choices, onChange, messages = [] } = props
  const id = useId()
  const labelOf = (value: string) => choices.find((one) => one.value === value)?.label ?? value
  const left = choices.filter(({ value }) => !values.includes(value))
  const remove = (value: string) => {
    onChange(values.filter((one) => one !== value))
    document.getElementById(id)?.focus()
  }
  return (
    <div className="constructor-setting automation-tags">
      {values.length > 0 && (
        <ul aria-label={label}>
          {values.map((value) => (
            <li key={value}>
              <Button
                size="small"
                endIcon="cross"
                text={labelOf(value)}
                aria-label={`${labelOf(value)}, remove`}
                onClick={() => remove(value)}
              />
            </li>
          ))}
        </ul>
      )}
      <HTMLSelect
        id={id}
        aria-label={`${label}: ${add}`}
        aria-describedby={messages.length > 0 ? `${id}-error` : undefined}
        aria-invalid={messages.length > 0 || undefined}
        value=""
        disabled={left.length === 0}
        onChange={({ currentTarget: { value } }) => value && onChange([...values, value])}
      >
        <option value="">{add}</option>
        {left.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </HTMLSelect>
      {hint && <p className="constructor-hint">{hint}</p>}
      <Messages id={`${id}-error`} messages={messages} />
    </div>
  )
}

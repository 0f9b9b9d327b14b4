import { HTMLSelect, Radio, RadioGroup } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import Combobox from '../../engine/form/widgets/Combobox.tsx'
import { LARGE, type LookupSearch } from '../../engine/form/widgets/useLookupSearch.ts'
import { Messages } from './Messages.tsx'

interface Props<V> {
  label: string
  /** Shows the label only to screen readers, because the context makes it clear. */
  quiet?: boolean
  hint?: string
  value: V | undefined
  choices: { value: V; label: string }[]
  onChange: (value: V | undefined) => void
  /** Label of the empty option; omit it if there always is a value. */
  none?: string
  messages?: string[]
  /** Searches the choices on the server, if there are others than these. */
  search?: LookupSearch
}

/**
 * A select whose values may be of any JSON type; it also lists a current value that is not among the choices. Many
 * choices are found by typing instead: the fields of a large form would be thousands of options.
 */
export function SelectSetting<V extends string | number | boolean | null>(props: Props<V>): ReactElement {
  const { label, quiet, hint, value, choices, onChange, none, messages = [], search } = props
  const id = useId()
  const isKnown = value === undefined || choices.some((c) => c.value === value)
  const all = isKnown ? choices : [...choices, { value, label: String(value) }]
  const about = [hint && `${id}-hint`, messages.length > 0 && `${id}-error`].filter(Boolean).join(' ')
  return (
    <div className="constructor-setting">
      <label htmlFor={id} className={quiet ? 'visually-hidden' : undefined}>
        {label}
      </label>
      {hint && (
        <p className="constructor-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {search || all.length > LARGE ? (
        <Combobox
          control={{
            id,
            'aria-describedby': about || undefined,
            'aria-invalid': messages.length > 0 || undefined,
          }}
          label={label}
          choices={all}
          chosen={all.find((choice) => choice.value === value)}
          isSearching={search?.isSearching}
          isMore={search?.isMore}
          placeholder={none}
          onType={search?.onType}
          onChoose={(choice) => {
            // Each typed key reports again that nothing is chosen.
            if (choice?.value !== value) onChange(choice?.value as V | undefined)
          }}
        />
      ) : (
        <HTMLSelect
          id={id}
          fill
          aria-describedby={about || undefined}
          aria-invalid={messages.length > 0 || undefined}
          value={value === undefined ? '' : JSON.stringify(value)}
          onChange={({ currentTarget }) =>
            onChange(all.find((c) => JSON.stringify(c.value) === currentTarget.value)?.value)
          }
        >
          {(none !== undefined || value === undefined) && <option value="">{none ?? 'Choose…'}</option>}
          {all.map((choice) => (
            <option key={JSON.stringify(choice.value)} value={JSON.stringify(choice.value)}>
              {choice.label}
            </option>
          ))}
        </HTMLSelect>
      )}
      <Messages id={`${id}-error`} messages={messages} />
    </div>
  )
}

interface RadioSettingProps<V extends string> {
  label: string
  value: V
  choices: { value: V; label: string }[]
  onChange: (value: V) => void
}

/** Radio buttons for one of a few values. */
export function RadioSetting<V extends string>({
  label,
  value,
  choices,
  onChange,
}: RadioSettingProps<V>): ReactElement {
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

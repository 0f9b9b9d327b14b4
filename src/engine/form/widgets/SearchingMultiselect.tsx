import { Button } from '@blueprintjs/core'
import { type FocusEvent, useState } from 'react'
import Combobox from './Combobox.tsx'
import type { Choice } from './Typeahead.tsx'
import type { LookupSearch } from './useLookupSearch.ts'
import type { controlProps } from './widgetProps.ts'

interface Props<V> {
  /** Attributes of the input, with its own id. */
  control: Partial<ReturnType<typeof controlProps>> & { id: string }
  label: string
  /** undefined while loading. */
  choices: Choice[] | undefined
  search: Omit<LookupSearch, 'items'>
  chosen: Choice[]
  onChange: (values: V[]) => void
  onLeave?: (event: FocusEvent) => void
}

/** Several choices of a large list: a combobox finds and adds a choice, and each has a button that removes it. */
export function SearchingMultiselect<V>(props: Props<V>) {
  const { control, label, choices, search, onChange, onLeave } = props
  // A choice found by search has its label before the item is loaded by id.
  const [added, setAdded] = useState<Choice[]>([])
  const chosen = props.chosen.map((choice) => added.find(({ value }) => value === choice.value) ?? choice)
  const values = chosen.map(({ value }) => value as V)
  const add = (choice: Choice) => {
    setAdded([...added, choice])
    onChange([...values, choice.value as V])
  }
  const remove = (value: unknown) => {
    onChange(values.filter((one) => one !== value))
    document.getElementById(control.id)?.focus()
  }
  return (
    <div className="choices">
      <label className="visually-hidden" htmlFor={control.id}>
        Find a choice of {label}
      </label>
      <Combobox
        control={control}
        label={label}
        choices={choices?.filter(({ value }) => !values.includes(value as V))}
        chosen={undefined}
        isSearching={search.isSearching}
        isMore={search.isMore}
        onType={search.onType}
        onChoose={(choice) => choice && add(choice)}
        onBlur={onLeave}
      />
      <p className="choices-chosen" aria-live="polite">
        {chosen.length === 0 ? 'Nothing chosen' : `${chosen.length} chosen`}
      </p>
      {chosen.length > 0 && (
        <ul className="choices-tags" aria-label={`Chosen of ${label}`}>
          {chosen.map(({ value, label: words }) => (
            <li key={String(value)}>
              <Button
                size="small"
                endIcon="cross"
                text={words}
                aria-label={`${words}, remove this choice`}
                onClick={() => remove(value)}
                onBlur={onLeave}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

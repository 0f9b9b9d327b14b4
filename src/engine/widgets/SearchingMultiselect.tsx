import { Button } from '@blueprintjs/core'
import { type FocusEvent, useState } from 'react'
import Combobox from './Combobox.tsx'
import type { Choice } from './Typeahead.tsx'
import type { LookupSearch } from './useLookupSearch.ts'
import type { controlProps } from './widgetProps.ts'

interface Props<V> {
  /** Attributes of the box; its id is the box's own. */
  control: Partial<ReturnType<typeof controlProps>> & { id: string }
  label: string
  /** What there is to choose from; undefined while it is being read. */
  choices: Choice[] | undefined
  search: Omit<LookupSearch, 'items'>
  chosen: Choice[]
  onChange: (values: V[]) => void
  onLeave?: (event: FocusEvent) => void
}

/** Several choices of a large list: a box finds and adds one, and each that is chosen can be removed. */
export function SearchingMultiselect<V>(props: Props<V>) {
  const { control, label, choices, search, onChange, onLeave } = props
  // One that was found by a term has a label before it is read by its id.
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
        isSearching={search.isFinding}
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

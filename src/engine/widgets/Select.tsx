import { HTMLSelect } from '@blueprintjs/core'
import { Fragment, memo, type RefObject, useRef, useState } from 'react'
import { isSet } from '../../contract/when.ts'
import type { Item } from '../runtime/lookups.ts'
import Combobox from './Combobox.tsx'
import { byHeading, type Choices, choiceOfItem, withChoices } from './choices.ts'
import type { Choice } from './Typeahead.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** One choice of a list; of a large one it is searched for. */
export const Select = withChoices(({ ask: props, choices }) => {
  // Whether a list is large is known once it is read; somebody may be in its field already.
  const hasFocus = useRef(false)
  return choices.isLarge ? (
    <SearchingSelect ask={props} choices={choices} autoFocus={hasFocus.current} />
  ) : (
    <NativeSelect ask={props} items={choices.items} hasFocus={hasFocus} />
  )
})

interface NativeProps {
  ask: FieldWidgetProps
  items: Item[] | undefined
  hasFocus: RefObject<boolean>
}

function NativeSelect({ ask: props, items, hasFocus }: NativeProps) {
  const { id, value, onChange, onBlur } = props
  const choose = (text: string) => onChange(items?.find((i) => String(i.value) === text)?.value)
  return (
    <HTMLSelect
      {...controlProps(props)}
      iconProps={{ title: undefined }}
      aria-busy={items ? undefined : true}
      value={isSet(value) ? String(value) : ''}
      onChange={(event) => choose(event.currentTarget.value)}
      onFocus={() => {
        hasFocus.current = true
      }}
      onBlur={() => {
        hasFocus.current = false
        onBlur(id, value)
      }}
    >
      <option value="">{items ? 'Choose…' : 'Loading…'}</option>
      {!items && isSet(value) && <option value={String(value)}>Loading…</option>}
      <Options items={items} />
    </HTMLSelect>
  )
}

/** The choices under their headings, which do not change with the answer or its message. */
const Options = memo(function Options({ items = [] }: { items: Item[] | undefined }) {
  return byHeading(items).map(([heading, under]) => {
    const options = under.map(({ value, label }) => (
      <option key={value} value={value}>
        {label}
      </option>
    ))
    return heading ? (
      <optgroup key={heading} label={heading}>
        {options}
      </optgroup>
    ) : (
      <Fragment key="">{options}</Fragment>
    )
  })
})

interface SearchingProps {
  ask: FieldWidgetProps
  choices: Choices
  autoFocus: boolean
}

function SearchingSelect({ ask: props, choices, autoFocus }: SearchingProps) {
  const { id, value, options, onChange, onBlur } = props
  // Its label is known before the server is asked for it.
  const [last, setLast] = useState<Choice>()
  const [chosen] = choices.chosen
  return (
    <Combobox
      control={controlProps(props)}
      autoFocus={autoFocus}
      label={fieldOf(options)!.label}
      choices={choices.items?.map(choiceOfItem)}
      chosen={isSet(value) ? (last?.value === value ? last : chosen) : undefined}
      isSearching={choices.isFinding}
      isMore={choices.isMore}
      onType={choices.onType}
      onChoose={(choice) => {
        setLast(choice)
        onChange(choice?.value)
      }}
      onBlur={() => onBlur(id, value)}
    />
  )
}

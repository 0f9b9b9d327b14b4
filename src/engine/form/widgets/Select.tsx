import { HTMLSelect } from '@blueprintjs/core'
import { Fragment, memo, type RefObject, useRef, useState } from 'react'
import { isSet } from '../../../contract/when.ts'
import type { Item } from '../../core/lookups.ts'
import { ChoiceHint } from './ChoiceHint.tsx'
import Combobox from './Combobox.tsx'
import { byHeading, type Choices, choiceOfItem, withChoices } from './choices.ts'
import type { Choice } from './Typeahead.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** A single choice: a native select, or a combobox if the list is large. */
export const Select = withChoices(({ props, choices }) => {
  // The size of a list is known once it is loaded; the control may have the focus before.
  const hasFocus = useRef(false)
  return choices.isLarge ? (
    <SearchingSelect props={props} choices={choices} autoFocus={hasFocus.current} />
  ) : (
    <NativeSelect props={props} items={choices.items} hasFocus={hasFocus} />
  )
})

interface NativeProps {
  props: FieldWidgetProps
  items: Item[] | undefined
  hasFocus: RefObject<boolean>
}

function NativeSelect({ props, items, hasFocus }: NativeProps) {
  const { id, value, onChange, onBlur } = props
  const choose = (text: string) => onChange(items?.find((i) => String(i.value) === text)?.value)
  const chosen = items?.find((item) => item.value === value)
  return (
    <>
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
        <option value="">{promptOf(props, items)}</option>
        {!items && isSet(value) && <option value={String(value)}>Loading…</option>}
        <Options items={items} />
      </HTMLSelect>
      {items?.some(({ hint }) => hint) && (
        <div aria-live="polite">{chosen && <ChoiceHint id={id} item={chosen} />}</div>
      )}
    </>
  )
}

/** Placeholder of a select; a field without choices is in a form that is being edited. */
function promptOf({ options }: FieldWidgetProps, items: Item[] | undefined): string {
  const { attrs } = fieldOf(options)!
  if (!attrs?.lookup && !attrs?.options?.length) return 'Add choices'
  return items ? 'Choose…' : 'Loading…'
}

/** The choices under their headings, memoised because they do not depend on the answer or its error. */
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
  props: FieldWidgetProps
  choices: Choices
  autoFocus: boolean
}

function SearchingSelect({ props, choices, autoFocus }: SearchingProps) {
  const { id, value, options, onChange, onBlur } = props
  // The last choice, whose label is known before its item is loaded.
  const [last, setLast] = useState<Choice>()
  const [chosen] = choices.chosen
  return (
    <Combobox
      control={controlProps(props)}
      autoFocus={autoFocus}
      label={fieldOf(options)!.label}
      choices={choices.items?.map(choiceOfItem)}
      chosen={isSet(value) ? (last?.value === value ? last : chosen) : undefined}
      isSearching={choices.isSearching}
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

import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { lower } from '../../../contract/messages.ts'
import { isSet } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { type Item, useLookup } from '../../core/lookups.ts'
import { formOf } from '../store/formContext.ts'
import { join, parentOf } from '../store/paths.ts'
import type { GroupedField, PresetField } from '../store/sections.ts'
import Combobox from './Combobox.tsx'
import { withChoices } from './choices.ts'
import type { Choice } from './Typeahead.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** One list of a field's choices, grouped under the values of its parent field; a choice sets both fields. */
export const GroupedSelect = withChoices(({ props, choices }) => {
  const { id, value, options, onChange, onBlur, registry } = props
  const { store, pathOf } = formOf(registry)
  const { label, grouped } = fieldOf(options) as GroupedField
  const { by, key, first } = grouped!
  const path = pathOf(id)
  const parent = join(parentOf(path), by.name)
  const parentValue = useSyncExternalStore(store.subscribe, () => store.valueAt(parent))
  const headings = useHeadings(by.attrs?.lookup)
  const items = headings && choices.items
  // A draft may have the parent value before a choice is made.
  const currentParent = isSet(value) ? undefined : parentValue
  const [chosen] = choices.chosen
  const unfinished = useUnfinishedText(props)

  const only = onlyItem(props, choices.isMore ? undefined : items, (item) =>
    isSet(parentValue) ? item[key] === parentValue : true,
  )
  useEffect(() => {
    if (!only || isSet(store.valueAt(path))) return
    if (isSet(only[key])) store.setDefault(parent, only[key])
    store.setDefault(path, only.value)
    // Only once it is known, so that the person can clear it.
  }, [only?.value])

  const control = controlProps(props)
  const heading = isSet(value) ? headings?.find((one) => one.value === parentValue)?.label : undefined
  const missing = choices.isMore || !items ? [] : headings.filter((one) => isWithout(one, items, key))
  const note = `${id}-heading`
  return (
    <>
      <Combobox
        control={{
          ...control,
          'aria-describedby':
            [control['aria-describedby'], heading && note].filter(Boolean).join(' ') || undefined,
        }}
        label={label}
        choices={items && underHeadings(items, key, headings, { currentParent, first })}
        chosen={isSet(value) && !unfinished.isTyped ? choiceOf(chosen) : undefined}
        isSearching={choices.isSearching}
        isMore={choices.isMore}
        onType={choices.onType}
        onChoose={(choice) => {
          unfinished.mark(!choice)
          const item = items?.find((one) => one.value === choice?.value)
          if (!item) return
          if (isSet(item[key])) store.set(parent, item[key])
          onChange(item.value)
        }}
        onBlur={() => {
          unfinished.clear()
          onBlur(id, value)
        }}
      />
      {missing.length > 0 && (
        <p className="field-heading">
          Not offered, as there is no {lower(label)} yet: {missing.map((one) => one.label).join(', ')}
        </p>
      )}
      {heading && (
        <p className="field-heading" id={note}>
          {by.label}: {heading}
        </p>
      )}
    </>
  )
})

/** True if a value of the parent field is in use, and no choice is below it. */
function isWithout({ value, active }: Item, items: Item[], key: string): boolean {
  return active !== false && !items.some((item) => item[key] === value)
}

/** The items of the parent field, retired ones too: choices under them may still be offered. */
function useHeadings(lookup: string | undefined): Item[] | undefined {
  const { lookups } = useContract()
  return useLookup(lookup, lookup && lookups[lookup]?.retirable ? WITH_RETIRED : undefined)
}

const WITH_RETIRED = { active: false }

/**
 * Converts items to choices, sorted by heading: the current one, those in `first`, the others; items without one are
 * last.
 */
function underHeadings(
  items: Item[],
  key: string,
  headings: Item[],
  { currentParent, first }: { currentParent: unknown; first: unknown[] },
): Choice[] {
  const isOf = ({ value }: Item, values: unknown[]) => values.includes(value)
  const inOrder = [
    ...headings.filter((one) => isOf(one, [currentParent])),
    ...headings.filter((one) => isOf(one, first)),
    ...headings,
  ]
  const rank = (item: Item) => {
    const place = inOrder.findIndex(({ value }) => value === item[key])
    return place < 0 ? inOrder.length : place
  }
  return items
    .toSorted((a, b) => rank(a) - rank(b))
    .map((item) => ({ ...choiceOf(item), group: inOrder[rank(item)]?.label }))
}

function choiceOf({ value, label }: Item): Choice {
  return { value, label }
}

/** The only offered item that matches, if the screen selects an only choice by default. */
function onlyItem(
  { options }: FieldWidgetProps,
  items: Item[] | undefined,
  isMatch: (item: Item) => boolean,
): Item | undefined {
  if ((fieldOf(options) as PresetField).preset !== 'only') return undefined
  const offered = items?.filter((item) => item.active !== false && isMatch(item)) ?? []
  return offered.length === 1 ? offered[0] : undefined
}

/**
 * Typed text without a selected choice clears the answer only on blur: until then the form has the previous answer, and
 * the fields that depend on it.
 */
function useUnfinishedText({ registry, onChange }: FieldWidgetProps) {
  const { store } = formOf(registry)
  const [isTyped, setTyped] = useState(false)
  const latest = useRef({ isTyped, onChange })
  latest.current.onChange = onChange
  const mark = (is: boolean) => {
    latest.current.isTyped = is
    setTyped(is)
    if (is) store.addPending(clearNow)
    else store.removePending(clearNow)
  }
  const clear = () => {
    if (!latest.current.isTyped) return
    mark(false)
    latest.current.onChange(undefined)
  }
  const latestClear = useRef(clear)
  latestClear.current = clear
  const clearNow = useRef(() => latestClear.current()).current
  useEffect(() => () => store.removePending(clearNow), [store, clearNow])
  return { isTyped, mark, clear }
}

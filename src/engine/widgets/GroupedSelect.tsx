import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { isSet } from '../../contract/when.ts'
import { join, parentOf } from '../form/paths.ts'
import type { GroupedField, PresetField } from '../form/sections.ts'
import { useContract } from '../runtime/contract.ts'
import { type Item, useLookup } from '../runtime/lookups.ts'
import Combobox from './Combobox.tsx'
import { withChoices } from './choices.ts'
import type { Choice } from './Typeahead.tsx'
import { controlProps, type FieldWidgetProps, fieldOf } from './widgetProps.ts'

/** One list of a field's choices under the headings of the field that they hang on; what is chosen answers both. */
export const GroupedSelect = withChoices(({ ask: props, choices }) => {
  const { id, value, options, onBlur, registry } = props
  const { store, pathOf } = registry.formContext
  const { label, grouped } = fieldOf(options) as GroupedField
  const { by, key, first } = grouped!
  const path = pathOf(id)
  const parent = join(parentOf(path), by.name)
  const parentValue = useSyncExternalStore(store.subscribe, () => store.valueAt(parent))
  const headings = useHeadings(by.attrs?.lookup)
  const items = headings && choices.items
  // A draft may know the heading before anything under it is chosen.
  const begun = isSet(value) ? undefined : parentValue
  const [chosen] = choices.chosen
  const unfinished = useUnfinishedText(props)

  const answer = (item: Item, give: (path: string, value: unknown) => void) => {
    if (isSet(item[key])) give(parent, item[key])
    give(path, item.value)
  }
  const only = onlyItem(props, choices.isMore ? undefined : items, (item) =>
    isSet(parentValue) ? item[key] === parentValue : true,
  )
  useEffect(() => {
    if (only && !isSet(store.valueAt(path))) answer(only, store.setDefault)
    // Once it is known: whoever clears it means that.
  }, [only?.value])

  const control = controlProps(props)
  const heading = isSet(value) ? headings?.find((one) => one.value === parentValue)?.label : undefined
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
        choices={items && underHeadings(items, key, headings, { begun, first })}
        chosen={isSet(value) && !unfinished.isTyped ? choiceOf(chosen) : undefined}
        isSearching={choices.isFinding}
        isMore={choices.isMore}
        onType={choices.onType}
        onChoose={(choice) => {
          unfinished.mark(!choice)
          const item = items?.find((one) => one.value === choice?.value)
          if (item) answer(item, store.set)
        }}
        onBlur={() => {
          unfinished.clear()
          onBlur(id, value)
        }}
      />
      {heading && (
        <p className="field-heading" id={note}>
          {by.label}: {heading}
        </p>
      )}
    </>
  )
})

/** The items that are headings, retired ones too: something under them may be offered still. */
function useHeadings(lookup: string | undefined): Item[] | undefined {
  const { lookups } = useContract()
  return useLookup(lookup, lookup && lookups[lookup]?.retirable ? WITH_RETIRED : undefined)
}

const WITH_RETIRED = { active: false }

/** The items as choices in the order of their headings, those that lead before others; last what has no heading. */
function underHeadings(
  items: Item[],
  key: string,
  headings: Item[],
  { begun, first }: { begun: unknown; first: unknown[] },
): Choice[] {
  const isOf = ({ value }: Item, values: unknown[]) => values.includes(value)
  const inOrder = [
    ...headings.filter((one) => isOf(one, [begun])),
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

/** The only item that is offered and fits, where the screen wants that chosen by itself. */
function onlyItem(
  { options }: FieldWidgetProps,
  items: Item[] | undefined,
  fits: (item: Item) => boolean,
): Item | undefined {
  if ((fieldOf(options) as PresetField).preset !== 'only') return undefined
  const offered = items?.filter((item) => item.active !== false && fits(item)) ?? []
  return offered.length === 1 ? offered[0] : undefined
}

/**
 * What is typed and not chosen clears the answer only once the box is left: until then the form keeps the one before,
 * with all that hangs on it.
 */
function useUnfinishedText({ registry, onChange }: FieldWidgetProps) {
  const { store } = registry.formContext
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

import { type ComponentType, createElement, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Field } from '../../contract/generated.ts'
import { fillParams, type LookupParams } from '../../contract/lookupCall.ts'
import { isSet } from '../../contract/when.ts'
import { idsOutside } from '../cells/labels.ts'
import type { FormStore } from '../form/formStore.ts'
import { join, parentOf } from '../form/paths.ts'
import type { GroupedField, PresetField } from '../form/sections.ts'
import { useContract } from '../runtime/contract.ts'
import { type Item, useLookupItems } from '../runtime/lookups.ts'
import type { Choice } from './Typeahead.tsx'
import { LARGE, type LookupSearch, useLookupSearch } from './useLookupSearch.ts'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

export interface Choices extends LookupSearch {
  /** The answer: its items, in its order. */
  chosen: Item[]
  /** Too many to be read through. */
  isLarge: boolean
}

interface ChoicesProps {
  ask: FieldWidgetProps
  choices: Choices
}

/** A widget of a field's choices: of its own options, which need no query each, or of its lookup. */
export function withChoices(Widget: ComponentType<ChoicesProps>): ComponentType<FieldWidgetProps> {
  const OfOptions = (props: FieldWidgetProps) =>
    createElement(Widget, { ask: props, choices: useOptions(props) })
  const OfLookup = (props: FieldWidgetProps) =>
    createElement(Widget, { ask: props, choices: useLookupChoices(props) })
  return (props) => createElement(fieldOf(props.options)!.attrs?.options ? OfOptions : OfLookup, props)
}

/** The options of a field; retired ones as `useLookupChoices` has them. */
function useOptions(props: FieldWidgetProps): Choices {
  const options = fieldOf(props.options)!.attrs!.options as Item[]
  const offered = useOffered(props, options, NONE)
  return { ...offered, isMore: false, isFinding: false, isLarge: options.length > LARGE }
}

/**
 * What there is to choose from: no retired item unless it is the answer already or the form offers them; no items while
 * they are being read.
 */
function useLookupChoices(props: FieldWidgetProps): Choices {
  const { store, pathOf } = props.registry.formContext
  const { attrs } = fieldOf(props.options)!
  const params = useFilledParams(store, pathOf(props.id), attrs?.lookup_params)
  const { lookups } = useContract()
  const lookup = attrs?.lookup
  const search = useLookupSearch(lookup, {
    ...params,
    ...(lookup && lookups[lookup]?.retirable && { active: false }),
  })
  const listed = search.items
  const values = useMemo(() => valuesOf(props.value), [props.value])
  const outside = listed && lookup ? idsOutside(listed, values) : []
  // Of a list that did not come whole those that fit; then whatever is stored, for its label.
  const fitting = useLookupItems(lookup, search.isMore ? outside : [], params)
  const named = useLookupItems(lookup, fitting ? idsOutside(fitting, outside) : [])
  const known = useMemo(() => listed && fitting && [...listed, ...fitting], [listed, fitting])
  useFitting(props, known, params)
  useOnlyChoice(props, search)
  const offered = useOffered(props, known ?? listed, named)
  return { ...search, ...offered, isLarge: search.isMore || (listed ?? []).length > LARGE }
}

/** Of known items the answer and those that are offered; `named` are items of answers that are not among them. */
function useOffered(
  { value, registry }: FieldWidgetProps,
  known: Item[] | undefined,
  named: Item[] | undefined,
): Pick<Choices, 'items' | 'chosen'> {
  const { offersRetired } = registry.formContext
  return useMemo(() => {
    const values = valuesOf(value)
    const all = known?.map((i) => (offersRetired && i.active === false ? retired(i) : i))
    const chosen = values.map((one) => all?.find((i) => i.value === one) ?? notOffered(one, named))
    const offered = all?.filter((i) => i.active !== false || offersRetired || values.includes(i.value))
    return { chosen, items: offered && [...offered, ...chosen.filter((one) => !all?.includes(one))] }
  }, [known, value, named, offersRetired])
}

const NONE: Item[] = []

function valuesOf(value: unknown): Item['value'][] {
  return [value].flat().filter(isSet) as Item['value'][]
}

/** An answer that the list does not hold is still the answer. */
function notOffered(value: Item['value'], named: Item[] | undefined): Item {
  if (!named) return { value, label: 'Loading…' }
  const label = named.find((i) => i.value === value)?.label ?? value
  return retired({ value, label: String(label) })
}

function retired(item: Item): Item {
  return { ...item, label: `${item.label} (no longer offered)` }
}

/** A field's lookup parameters with their paths resolved; the same object until a value changes. */
export function useFilledParams(
  store: FormStore,
  path: string,
  declaredParams: LookupParams | undefined,
): LookupParams {
  const read = () =>
    declaredParams ? JSON.stringify(fillParams(declaredParams, store.conditionContextAt(path))) : '{}'
  const text = useSyncExternalStore(store.subscribe, read)
  return useMemo(() => JSON.parse(text), [text])
}

/**
 * Clears an answer that the filtered list no longer offers, but only after the person changed a field that filters
 * the list.
 */
function useFitting(props: FieldWidgetProps, items: Item[] | undefined, params: LookupParams) {
  const { store, pathOf } = props.registry.formContext
  const before = useRef(params)
  const isDue = useRef(false)
  useEffect(() => {
    if (before.current !== params) {
      before.current = params
      isDue.current = parentsOf(fieldOf(props.options)!, pathOf(props.id)).some((path) =>
        store.isFieldDirty(path),
      )
    }
    if (!isDue.current || !items) return
    isDue.current = false
    const values = [props.value].flat().filter(isSet)
    const fitting = values.filter((value) => items.some((i) => i.value === value))
    if (fitting.length === values.length) return
    props.onChange(Array.isArray(props.value) && fitting.length > 0 ? fitting : undefined)
  })
}

/** Chooses the only choice that a list has, where the screen says so, once it is known: whoever clears it means that. */
function useOnlyChoice({ id, options, registry }: FieldWidgetProps, { items, isMore }: LookupSearch) {
  const { store, pathOf } = registry.formContext
  const { preset, grouped } = fieldOf(options) as PresetField & GroupedField
  const offered =
    preset === 'only' && !grouped && !isMore ? items?.filter((i) => i.active !== false) : undefined
  const only = offered?.length === 1 ? offered[0].value : undefined
  useEffect(() => {
    const path = pathOf(id)
    if (only !== undefined && !isSet(store.valueAt(path))) store.setDefault(path, only)
  }, [only])
}

/** Paths in the document of the fields that a list hangs on: beside the field, and in a row also beside the list of rows. */
function parentsOf({ attrs }: Field, path: string): string[] {
  const values = Object.values(attrs?.lookup_params ?? {}).map(String)
  const names = values.filter((v) => v.startsWith('$')).map((v) => v.slice(1))
  const beside = parentOf(path)
  const places = /\.\d+$/.test(beside) ? [beside, parentOf(parentOf(beside))] : [beside]
  return names.flatMap((name) =>
    name.startsWith('form.') ? name.slice('form.'.length) : places.map((place) => join(place, name)),
  )
}

/** Items under their headings, in the order in which the headings come up; '' heads those without one. */
export function byHeading(items: Item[]): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const heading = headingOf(item) ?? ''
    if (!groups.get(heading)?.push(item)) groups.set(heading, [item])
  }
  return [...groups]
}

/** An item as a choice, its heading beside it. */
export function choiceOfItem(item: Item): Choice {
  return { value: item.value, label: item.label, about: headingOf(item) }
}

function headingOf({ parent, group }: Item): string | undefined {
  return [parent, group].find((h) => typeof h === 'string') as string | undefined
}

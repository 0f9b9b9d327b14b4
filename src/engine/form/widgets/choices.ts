import { type ComponentType, createElement, useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Field } from '../../../contract/generated.ts'
import { fillParams, type LookupParams } from '../../../contract/lookupCall.ts'
import { isSet } from '../../../contract/when.ts'
import { useContract } from '../../core/contract.ts'
import { idsOutside } from '../../core/labels.ts'
import { type Item, useLookupItems } from '../../core/lookups.ts'
import { formOf, type WidgetStore } from '../store/formContext.ts'
import { join, parentOf } from '../store/paths.ts'
import type { GroupedField, PresetField } from '../store/sections.ts'
import type { Choice } from './Typeahead.tsx'
import { LARGE, type LookupSearch, useLookupSearch } from './useLookupSearch.ts'
import { type FieldWidgetProps, fieldOf } from './widgetProps.ts'

export interface Choices extends LookupSearch {
  /** Items of the answer, in its order. */
  chosen: Item[]
  /** True if there are so many choices that the widget searches them. */
  isLarge: boolean
}

interface ChoicesProps {
  props: FieldWidgetProps
  choices: Choices
}

/** Wraps a widget with the choices of its field: its own options, which need no request, or the items of its lookup. */
export function withChoices(Widget: ComponentType<ChoicesProps>): ComponentType<FieldWidgetProps> {
  const OfOptions = (props: FieldWidgetProps) => createElement(Widget, { props, choices: useOptions(props) })
  const OfLookup = (props: FieldWidgetProps) =>
    createElement(Widget, { props, choices: useLookupChoices(props) })
  return (props) => createElement(fieldOf(props.options)!.attrs?.lookup ? OfLookup : OfOptions, props)
}

/** The options of a field, none while its form is being edited; retired ones as in `useLookupChoices`. */
function useOptions(props: FieldWidgetProps): Choices {
  const options = (fieldOf(props.options)!.attrs?.options ?? NONE) as Item[]
  const offered = useOfferedOptions(props, options, NONE)
  return { ...offered, isMore: false, isSearching: false, isLarge: options.length > LARGE }
}

/**
 * The items of a lookup, without retired ones unless they are the answer or the form offers them; undefined while
 * loading.
 */
function useLookupChoices(props: FieldWidgetProps): Choices {
  const { store, pathOf } = formOf(props.registry)
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
  // Items of the answer that are not in a partial list: those that match the parameters; then any others, for their
  // labels.
  const fitting = useLookupItems(lookup, search.isMore ? outside : [], params)
  const named = useLookupItems(lookup, fitting ? idsOutside(fitting, outside) : [])
  const known = useMemo(() => listed && fitting && [...listed, ...fitting], [listed, fitting])
  useFitting(props, known, params)
  useOnlyChoice(props, search)
  const offered = useOfferedOptions(props, known ?? listed, named)
  return { ...search, ...offered, isLarge: search.isMore || (listed ?? []).length > LARGE }
}

/** The items of the answer and those that are offered; `named` are items of the answer that are not among `known`. */
function useOfferedOptions(
  { value, registry }: FieldWidgetProps,
  known: Item[] | undefined,
  named: Item[] | undefined,
): Pick<Choices, 'items' | 'chosen'> {
  const { offersRetired } = formOf(registry)
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

/** The item of an answer that is not in the list. */
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
  store: WidgetStore,
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
  const { store, pathOf } = formOf(props.registry)
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

/** Selects the only choice of a list if the screen says so; only once, so that the person can clear it. */
function useOnlyChoice({ id, options, registry }: FieldWidgetProps, { items, isMore }: LookupSearch) {
  const { store, pathOf } = formOf(registry)
  const { preset, grouped } = fieldOf(options) as PresetField & GroupedField
  const offered =
    preset === 'only' && !grouped && !isMore ? items?.filter((i) => i.active !== false) : undefined
  const only = offered?.length === 1 ? offered[0].value : undefined
  useEffect(() => {
    const path = pathOf(id)
    if (only !== undefined && !isSet(store.valueAt(path))) store.setDefault(path, only)
  }, [only])
}

/**
 * Paths of the fields that the parameters of a lookup refer to: siblings of the field and, in a row, also of the
 * repeat.
 */
function parentsOf({ attrs }: Field, path: string): string[] {
  const values = Object.values(attrs?.lookup_params ?? {}).map(String)
  const names = values.filter((v) => v.startsWith('$')).map((v) => v.slice(1))
  const beside = parentOf(path)
  const places = /\.\d+$/.test(beside) ? [beside, parentOf(parentOf(beside))] : [beside]
  return names.flatMap((name) =>
    name.startsWith('form.') ? name.slice('form.'.length) : places.map((place) => join(place, name)),
  )
}

/** Groups items by heading, in order of first appearance; '' for items without one. */
export function byHeading(items: Item[]): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const heading = headingOf(item) ?? ''
    if (!groups.get(heading)?.push(item)) groups.set(heading, [item])
  }
  return [...groups]
}

/** Converts an item to a choice, with its heading as `about`. */
export function choiceOfItem(item: Item): Choice {
  return { value: item.value, label: item.label, about: headingOf(item) }
}

function headingOf({ parent, group }: Item): string | undefined {
  return [parent, group].find((h) => typeof h === 'string') as string | undefined
}

/** What describes the control of a choice to screen readers: its hint, if it has one. */
export function hintId(id: string, { value, hint }: Item): string | undefined {
  return typeof hint === 'string' ? `${id}-${value}-hint` : undefined
}

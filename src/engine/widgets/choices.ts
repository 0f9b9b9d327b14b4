import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import type { Field } from '../../contract/types.ts'
import { isSet } from '../../contract/when.ts'
import { useContract } from '../contract.ts'
import { join, parentOf } from '../form/paths.ts'
import type { FormStore } from '../form/store.ts'
import { fillParams, type Item, type LookupParams, useLookup } from '../lookups.ts'
import { type AskProps, specOf } from './ask.ts'

/** What there is to choose from: no retired item unless it is the answer already; undefined while it is being read. */
export function useChoices(ask: AskProps): Item[] | undefined {
  const { store, pathOf } = ask.registry.formContext
  const { attrs } = specOf(ask.options)!
  const path = pathOf(ask.id)
  const params = useFilledParams(store, path, attrs?.lookup_params)
  const { lookups } = useContract()
  const lookup = attrs?.options ? undefined : attrs?.lookup
  const retired = lookup && lookups[lookup]?.retirable ? { active: false } : undefined
  const found = useLookup(lookup, { ...params, ...retired })
  const items = (attrs?.options ?? found) as Item[] | undefined
  useFitting(ask, items, params)
  return useMemo(() => {
    const chosen = [ask.value].flat()
    return items && withUnknown(items, chosen).filter((i) => i.active !== false || chosen.includes(i.value))
  }, [items, ask.value])
}

/** An answer that the list no longer holds is still the answer. */
function withUnknown(items: Item[], chosen: unknown[]): Item[] {
  const unknown = chosen.filter((value) => isSet(value) && !items.some((i) => i.value === value))
  const added = unknown.map((value) => ({
    value: value as Item['value'],
    label: `${value} (no longer offered)`,
  }))
  return added.length > 0 ? [...items, ...added] : items
}

function useFilledParams(store: FormStore, path: string, given: LookupParams | undefined): LookupParams {
  const read = () => (given ? JSON.stringify(fillParams(given, store.scopeOf(path))) : '{}')
  const text = useSyncExternalStore(store.subscribe, read)
  return useMemo(() => JSON.parse(text), [text])
}

/** When the person changed what a list hangs on, an answer that is not in the new list goes; never otherwise. */
function useFitting(ask: AskProps, items: Item[] | undefined, params: LookupParams) {
  const { store, pathOf } = ask.registry.formContext
  const before = useRef(params)
  const isDue = useRef(false)
  useEffect(() => {
    if (before.current !== params) {
      before.current = params
      isDue.current = parentsOf(specOf(ask.options)!, pathOf(ask.id)).some((path) => store.isChanged(path))
    }
    if (!isDue.current || !items) return
    isDue.current = false
    const values = [ask.value].flat().filter(isSet)
    const fitting = values.filter((value) => items.some((i) => i.value === value))
    if (fitting.length === values.length) return
    ask.onChange(Array.isArray(ask.value) && fitting.length > 0 ? fitting : undefined)
  })
}

/** Paths in the document of the fields that a list hangs on: beside the field, and in a row also beside the list of rows. */
function parentsOf({ attrs }: Field, path: string): string[] {
  const values = Object.values(attrs?.lookup_params ?? {}).map(String)
  const names = values.filter((v) => v.startsWith('$')).map((v) => v.slice(1))
  const beside = parentOf(path)
  const places = /\.\d+$/.test(beside) ? [beside, parentOf(parentOf(beside))] : [beside]
  return names.flatMap((name) => places.map((place) => join(place, name)))
}

/** Items under their headings, in the order in which the headings come up; '' heads those without one. */
export function byHeading(items: Item[]): [string, Item[]][] {
  const groups = new Map<string, Item[]>()
  for (const item of items) {
    const heading = [item.parent, item.group].find((h) => typeof h === 'string') as string | undefined
    groups.set(heading ?? '', [...(groups.get(heading ?? '') ?? []), item])
  }
  return [...groups]
}

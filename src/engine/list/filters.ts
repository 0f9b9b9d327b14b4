import { parametersOf } from '../../contract/call.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Entity, ListScreen, Parameter } from '../../contract/generated.ts'
import { relativeDay } from '../../contract/relativeDay.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { today } from '../runtime/today.ts'

/** A query parameter that a list offers as a filter. */
export interface Filter extends Parameter {
  name: string
  title: string
  /** What it holds until the address says something. */
  default?: string
}
export type FilterKind = 'text' | 'date' | 'choice' | 'flag'

const MOST = 200

/** The filters of a list: those it names, or all parameters of its call that have a title. */
export function filtersOf(contract: Contract, { source, filters, defaults }: ListScreen): Filter[] {
  const known = parametersOf(contract, contract.endpoints[source])
  const names = filters ?? Object.keys(known).filter((name) => known[name].title)
  return names.map((name) => ({
    ...known[name],
    name,
    title: known[name].title ?? name,
    default: defaultOf(known[name], defaults?.[name]),
  }))
}

/** A default such as '-7d' counts from the day on which the list is opened. */
function defaultOf({ type }: Parameter, text: string | undefined): string | undefined {
  return type === 'date' && text ? relativeDay(text, today()) : text
}

/** The columns with the {filters} of their links filled from those in force; what a row has itself stays. */
export function fillFilters(
  columns: RenderedColumn[],
  row: Entity['properties'],
  applied: Record<string, string>,
  filters: Filter[],
): RenderedColumn[] {
  const places = filters
    .filter(({ name }) => !(name in row))
    .map(({ name }) => ({ name, place: `{${name}}` }))
  // Most lists have no such link: their columns stay the same ones.
  if (!columns.some(({ link }) => places.some(({ place }) => link?.includes(place)))) return columns
  const fill = (link: string) =>
    places.reduce(
      (text, { name, place }) => text.replaceAll(place, encodeURIComponent(applied[name] ?? '')),
      link,
    )
  return columns.map((column) => (column.link ? { ...column, link: fill(column.link) } : column))
}

/** Which control offers a filter. */
export function kindOf({ type, lookup, options }: Parameter): FilterKind {
  if (type === 'boolean') return 'flag'
  if (lookup || options) return 'choice'
  return type === 'date' ? 'date' : 'text'
}

const GOOD: Record<Parameter['type'], (text: string) => boolean> = {
  string: (text) => text.trim() !== '' && text.length <= MOST,
  integer: (text) => /^-?\d{1,9}$/.test(text),
  boolean: (text) => text === 'true',
  date: (text) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
}

/** Whether a text from the address bar can be a value of this filter. */
export function isGood(filter: Filter, text: string): boolean {
  const offered = filter.type === 'boolean' || !filter.options
  const isOne = (one: string) =>
    GOOD[filter.type](one) && (offered || filter.options!.some((o) => String(o.value) === one))
  return valuesOf(filter, text).every(isOne)
}

/** Several values of a choice stand between commas, and mean any of them. */
export function valuesOf(filter: Filter, text: string): string[] {
  return kindOf(filter) === 'choice' ? text.split(',') : [text]
}

/** A filter's text as its call wants it. */
export function sentValue(filter: Filter, text: string): Sent {
  if (filter.type === 'boolean') return true
  if (filter.type !== 'integer') return text.trim()
  const values = valuesOf(filter, text).map(Number)
  return values.length > 1 ? values : values[0]
}

export type Sent = string | number | boolean | number[]

function isDay(text: string): boolean {
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

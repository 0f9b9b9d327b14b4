import type { Contract } from '../../../../contract/contract.ts'
import type { Entity, ListScreen, Parameter } from '../../../../contract/generated.ts'
import { filterParameters, NONE, valuesOf } from '../../../../contract/listFilters.ts'
import type { RenderedColumn } from '../../../cells/columns.ts'

/** A query parameter that a list offers as a filter. */
export interface Filter extends Parameter {
  name: string
  title: string
  /** Value if the URL has none. */
  default?: string
}

/** The filters of a list: those it names, or all parameters of its call that have a title. */
export function filtersOf(contract: Contract, screen: ListScreen): Filter[] {
  return Object.entries(filterParameters(contract, screen)).map(([name, parameter]) => ({
    ...parameter,
    name,
    title: parameter.title ?? name,
    default: screen.defaults?.[name],
  }))
}

/** The columns with the {filters} in their links replaced by the applied values; {fields} of the row stay. */
export function fillFilters(
  columns: RenderedColumn[],
  row: Entity['properties'],
  applied: Record<string, string>,
  filters: Filter[],
): RenderedColumn[] {
  const places = filters
    .filter(({ name }) => !(name in row))
    .map(({ name }) => ({ name, place: `{${name}}` }))
  // Most lists have no such link; return the same array then.
  const has = (link?: string) => places.some(({ place }) => link?.includes(place))
  if (!columns.some(({ link, totalLink }) => has(link) || has(totalLink))) return columns
  const fill = (link: string | undefined) =>
    places.reduce(
      (text, { name, place }) => text?.replaceAll(place, encodeURIComponent(applied[name] ?? '')),
      link,
    )
  return columns.map((column) => ({ ...column, link: fill(column.link), totalLink: fill(column.totalLink) }))
}

/** A filter's text as the query parameter of its call. */
export function sentValue(filter: Filter, text: string): Sent {
  if (filter.type === 'boolean') return true
  if (filter.type !== 'integer') return text.trim()
  const values = valuesOf(filter, text).map((one) => (one === NONE ? one : Number(one)))
  return values.length > 1 || filter.list ? values : values[0]
}

export type Sent = string | number | boolean | (string | number)[]

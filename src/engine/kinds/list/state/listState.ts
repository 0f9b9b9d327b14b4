import { DEFAULT_PAGE_SIZE } from '../../../../contract/limits.ts'
import { isValidFilterValue, resolveFilter } from '../../../../contract/listFilters.ts'
import { browserStorage } from '../../../core/browserStorage.ts'
import { today } from '../../../core/today.ts'
import { type Filter, type Sent, sentValue } from './filters.ts'

/** Available page sizes. */
export const SIZES = [10, 20, 50, 100]

/** The state of a list, as in the URL; filter values are texts. */
export interface ListState {
  page: number
  size: number
  sort?: Sort
  /** Values by filter, resolved for today and the current user. */
  filters: Record<string, string>
  /** The same as in the URL: '-7d', 'me'. */
  relative: Record<string, string>
  /** ID of the saved view in the URL. */
  view?: number
  /** Fields of the columns in the URL. */
  columns?: string[]
}
export interface Sort {
  field: string
  descending: boolean
}
interface ListStateOptions {
  filters: Filter[]
  /** Fields to sort by; omitted: any. */
  sortable?: string[]
  /** Page size if the URL has none. */
  size: number
  /** ID of the current user. */
  me: number
}

/** Parses the state in the URL; invalid values are ignored. */
export function readListState(
  search: URLSearchParams,
  { filters, sortable, size, me }: ListStateOptions,
): ListState {
  const page = Number(search.get('page'))
  const requestedSize = Number(search.get('size'))
  const [, minus, field] = search.get('sort')?.match(/^(-?)(\w+)$/) ?? []
  const now = today()
  const read = (filter: Filter, relative = '') => {
    const text = resolveFilter(filter, relative, now, me)
    return isValidFilterValue(filter, text) ? [{ name: filter.name, relative, text }] : []
  }
  const valid = filters.flatMap((filter) => {
    const found = read(filter, search.get(filter.name) ?? filter.default)
    return found.length === 0 && filter.needed ? read(filter, filter.default) : found
  })
  const view = Number(search.get('view'))
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: SIZES.includes(requestedSize) ? requestedSize : size,
    ...(field && (sortable?.includes(field) ?? true) && { sort: { field, descending: minus === '-' } }),
    filters: Object.fromEntries(valid.map(({ name, text }) => [name, text])),
    relative: Object.fromEntries(valid.map(({ name, relative }) => [name, relative])),
    ...(Number.isSafeInteger(view) && view > 0 && { view }),
    columns: search.get('columns')?.split(','),
  }
}

/**
 * The URL's parameters after a change; null removes a key. Any change but that of the page resets the page to 1.
 * `defaults` are the values of keys that the URL does not have.
 */
export function changedSearchParams(
  search: URLSearchParams,
  change: Record<string, string | number | null>,
  defaults: Record<string, string> = {},
): URLSearchParams {
  const next = new URLSearchParams(search)
  for (const [key, value] of Object.entries({ page: null, ...change })) {
    if (value === null || value === (defaults[key] ?? '') || (key === 'page' && value === 1)) next.delete(key)
    else next.set(key, String(value))
  }
  return next
}

/** A sort order in the URL: field, or -field if it is descending. */
export function sortText({ field, descending }: Sort): string {
  return descending ? `-${field}` : field
}

/** The page size stored in this browser under a list's name, or its default. */
export function rememberedSize(name: string | undefined, defaultSize = DEFAULT_PAGE_SIZE): number {
  const size = Number(name && browserStorage.get(`pageSize.${name}`))
  return SIZES.includes(size) ? size : defaultSize
}

/** Stores a page size under a list's name. */
export function rememberSize(name: string | undefined, size: number): void {
  if (name) browserStorage.set(`pageSize.${name}`, String(size))
}

/** Query parameters of an order and filters: what a page of a list and its export have in common. */
export function listQuery(
  { sort, filters }: ListState,
  offered: Filter[],
  group?: string,
): Record<string, Sent> {
  const order = sort ?? (group ? { field: group, descending: false } : undefined)
  return {
    ...(order && { order_by: order.field, sort_order: order.descending ? 'desc' : 'asc' }),
    ...Object.fromEntries(
      offered.filter((f) => f.name in filters).map((f) => [f.name, sentValue(f, filters[f.name])]),
    ),
  }
}

export function pageQuery({ page, size }: ListState): Record<string, number> {
  return { p: page, page_size: size }
}

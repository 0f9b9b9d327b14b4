import { DEFAULT_PAGE_SIZE } from '../../contract/limits.ts'
import { isGood, resolveFilter } from '../../contract/listFilters.ts'
import { today } from '../runtime/today.ts'
import { type Filter, type Sent, sentValue } from './filters.ts'

/** Page sizes on offer. */
export const SIZES = [10, 20, 50, 100]

/** What a list shows, as the address bar says it; filter values are texts. */
export interface ListState {
  page: number
  size: number
  sort?: Sort
  /** Values by filter, of today and of whoever looks. */
  filters: Record<string, string>
  /** The same as the address says them: '-7d', 'me'. */
  relative: Record<string, string>
  /** Id of the saved view that the address is of. */
  view?: number
  /** Fields of the columns that the address names. */
  columns?: string[]
}
export interface Sort {
  field: string
  descending: boolean
}
interface ListStateOptions {
  filters: Filter[]
  /** Omitted: whatever the call knows. */
  sortable?: string[]
  /** Page size where the address says none. */
  size: number
  /** Id of whoever looks. */
  me: number
}

/** What the address bar says; what makes no sense there is ignored. */
export function readListState(
  search: URLSearchParams,
  { filters, sortable, size, me }: ListStateOptions,
): ListState {
  const page = Number(search.get('page'))
  const requestedSize = Number(search.get('size'))
  const [, minus, field] = search.get('sort')?.match(/^(-?)(\w+)$/) ?? []
  const now = today()
  const read = (filter: Filter, said = '') => {
    const text = resolveFilter(filter, said, now, me)
    return isGood(filter, text) ? [{ name: filter.name, said, text }] : []
  }
  const good = filters.flatMap((filter) => {
    const found = read(filter, search.get(filter.name) ?? filter.default)
    return found.length === 0 && filter.needed ? read(filter, filter.default) : found
  })
  const view = Number(search.get('view'))
  return {
    page: Number.isSafeInteger(page) && page > 0 ? page : 1,
    size: SIZES.includes(requestedSize) ? requestedSize : size,
    ...(field && (sortable?.includes(field) ?? true) && { sort: { field, descending: minus === '-' } }),
    filters: Object.fromEntries(good.map(({ name, text }) => [name, text])),
    relative: Object.fromEntries(good.map(({ name, said }) => [name, said])),
    ...(Number.isSafeInteger(view) && view > 0 && { view }),
    columns: search.get('columns')?.split(','),
  }
}

/**
 * The address after a change; null takes a key away. Everything but turning a page begins at the first one. `defaults`
 * are the values of keys that the address does not have.
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

/** How the address names an order: field, or -field. */
export function sortText({ field, descending }: Sort): string {
  return descending ? `-${field}` : field
}

/** The page size this browser remembers under a list's name, or the one that is usual for it. */
export function rememberedSize(name: string | undefined, usual = DEFAULT_PAGE_SIZE): number {
  const size = Number(name && localStorage.getItem(`pageSize.${name}`))
  return SIZES.includes(size) ? size : usual
}

/** Remembers a page size under a list's name. */
export function rememberSize(name: string | undefined, size: number): void {
  if (name) localStorage.setItem(`pageSize.${name}`, String(size))
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

/** Query parameters of a page of a list. */
export function pageQuery({ page, size }: ListState): Record<string, number> {
  return { p: page, page_size: size }
}

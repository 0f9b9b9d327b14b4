import { type Filter, type Sent, sentValue } from './filters.ts'
import type { ListState } from './listState.ts'

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

import { Icon } from '@blueprintjs/core'
import type { RenderedColumn } from '../../cells/columns.ts'
import type { Sort } from './state/listState.ts'
import { HEAD } from './tableRoles.ts'

interface SortProps {
  column: RenderedColumn
  sort?: Sort
  onSort: (sort: Sort) => void
}

/** Without `onSort` nobody sorts the rows. */
type Props = Omit<SortProps, 'onSort'> & Partial<Pick<SortProps, 'onSort'>>

/** The heading of a column; a button if the column is sortable. */
export function HeadCell({ column, sort, onSort }: Props) {
  return (
    <th
      {...HEAD}
      scope="col"
      aria-sort={sortedOf(column, sort)}
      className={isRightAligned(column) ? 'list-end' : undefined}
    >
      {column.sort && onSort ? <SortButton {...{ column, sort, onSort }} /> : column.title}
    </th>
  )
}

/** Sorts by a column, or reverses the order if the list is sorted by it already. */
export function SortButton({ column: { field, title }, sort, onSort }: SortProps) {
  const isSorted = sort?.field === field
  const descending = isSorted && sort.descending
  return (
    <button
      type="button"
      className="list-sort"
      onClick={() => onSort({ field, descending: isSorted && !descending })}
    >
      {title}
      <Icon icon={!isSorted ? 'double-caret-vertical' : descending ? 'caret-down' : 'caret-up'} size={14} />
    </button>
  )
}

/** The `aria-sort` of a column; undefined if the list is not sorted by it. */
function sortedOf({ field }: RenderedColumn, sort: Sort | undefined) {
  if (sort?.field !== field) return undefined
  return sort.descending ? 'descending' : 'ascending'
}

/** True if a column is right-aligned, so that digits line up. */
export function isRightAligned({ as }: RenderedColumn): boolean {
  return as === 'number' || as === 'hours'
}

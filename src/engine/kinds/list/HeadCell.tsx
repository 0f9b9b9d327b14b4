import { Icon } from '@blueprintjs/core'
import type { RenderedColumn } from '../../cells/columns.ts'
import type { Sort } from './state/listState.ts'
import { HEAD } from './tableRoles.ts'

interface Props {
  column: RenderedColumn
  sort?: Sort
  onSort: (sort: Sort) => void
}

/** The heading of a column; a button if the column is sortable. */
export function HeadCell(props: Props) {
  const { column, sort } = props
  return (
    <th
      {...HEAD}
      scope="col"
      aria-sort={sortedOf(column, sort)}
      className={isRightAligned(column) ? 'list-end' : undefined}
    >
      {column.sort ? <SortButton {...props} /> : column.title}
    </th>
  )
}

/** Sorts by a column, or reverses the order if the list is sorted by it already. */
export function SortButton({ column: { field, title }, sort, onSort }: Props) {
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

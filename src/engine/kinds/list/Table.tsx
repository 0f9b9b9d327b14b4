import { HTMLTable } from '@blueprintjs/core'
import type { ListScreen } from '../../../contract/generated.ts'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { useContract } from '../../core/contract.ts'
import type { Row } from '../../core/results.ts'
import { HeadCell, isRightAligned } from './HeadCell.tsx'
import { SelectBox } from './SelectBox.tsx'
import type { Sort } from './state/listState.ts'
import { useCompactRows } from './state/useCompactRows.ts'
import { Rows } from './TableRows.tsx'
import { CELL, HEAD, ROW, ROW_HEAD, ROWS, TABLE } from './tableRoles.ts'
import type { Selection } from './useSelection.ts'
import { TableSheet, tableClass, Widths } from './Widths.tsx'

export interface SheetProps {
  screen: ListScreen
  title: string
  columns: RenderedColumn[]
  rows: Row[]
  /** Sums over the rows, by field. */
  totals?: Row
  /** Number of rows of each group, by the value that they share. */
  groups?: Record<string, number>
  params: Record<string, unknown>
  sort?: Sort
  onSort: (sort: Sort) => void
  /** The selected rows, if the list has a selection. */
  selection?: Selection
}

interface Props extends Omit<SheetProps, 'screen' | 'onSort'> {
  screen: Pick<ListScreen, 'source' | 'actions' | 'group' | 'groupBy' | 'counted' | 'opens'>
  /** Omitted: the rows have an order of their own. */
  onSort?: (sort: Sort) => void
}

/** The rows as a table; on a narrow page the style sheet turns each row into a card. */
export function Table(props: Props) {
  const { screen, title, columns, rows, totals, groups, params, sort, onSort, selection } = props
  const actions = screen.actions
  const contract = useContract()
  // In another order the rows of a group are not adjacent.
  const heading = screen.groupBy ?? screen.group
  const isGrouped = heading && (!sort || sort.field === heading)
  const [group] = isGrouped ? columnsOf(contract, screen.source, [heading]) : []
  const [isCompact] = useCompactRows()
  return (
    <TableSheet {...{ columns, actions }}>
      <HTMLTable {...TABLE} compact className={tableClass(columns, isCompact)}>
        <caption className="visually-hidden">{title}</caption>
        <Widths {...{ columns, selection, actions }} />
        <thead {...ROWS}>
          <tr {...ROW}>
            {selection && (
              <th {...HEAD} scope="col" className="list-select">
                <SelectBox label="Select all on this page" {...{ selection, rows }} />
              </th>
            )}
            {columns.map((column) => (
              <HeadCell key={column.field} column={column} sort={sort} onSort={onSort} />
            ))}
            {actions && (
              <th {...HEAD} scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <Rows
          {...{ rows, columns, actions, params, group, groups, selection }}
          counted={screen.counted}
          opens={screen.opens}
        />
        {totals && rows.length > 1 && <Totals {...{ columns, totals, selection }} />}
      </HTMLTable>
    </TableSheet>
  )
}

interface TotalsProps {
  columns: RenderedColumn[]
  totals: Row
  selection?: Selection
}

/** The totals as the last row, labelled in the first column. */
function Totals({ columns: [first, ...others], totals, selection }: TotalsProps) {
  return (
    <tfoot {...ROWS}>
      <tr {...ROW} className="list-totals">
        {selection && <td {...CELL} className="list-select" />}
        <th {...ROW_HEAD} scope="row" className={isRightAligned(first) ? 'list-end' : undefined}>
          Total
        </th>
        {others.map((column) => (
          <td
            {...CELL}
            key={column.field}
            className={isRightAligned(column) ? 'list-end' : undefined}
            data-label={column.title}
          >
            {column.field in totals && <Value column={{ ...column, link: column.totalLink }} row={totals} />}
          </td>
        ))}
      </tr>
    </tfoot>
  )
}

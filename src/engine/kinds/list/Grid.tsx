import { Cell, Column, ColumnHeaderCell, SelectionModes, Table } from '@blueprintjs/table'
import { useEffect, useRef } from 'react'
import { Actions } from '../../actions/Actions.tsx'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { isRightAligned, SortButton } from './HeadCell.tsx'
import type { SheetProps } from './Table.tsx'

const ROW = 32
const HEAD = 34
const MAX_ROWS = 18
const WIDTH = 170

/** The rows as a wide spreadsheet, for lists with more columns than fit on a page; lazy-loaded. */
export default function Grid({ screen, title, columns, rows, params, sort, onSort }: SheetProps) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const main = box.current?.querySelector('.bp6-table-quadrant-main')
    // Blueprint makes an element around the scroll container focusable, and labels neither.
    box.current?.querySelector('.bp6-table-container')?.setAttribute('tabindex', '-1')
    const scrolled = main?.querySelector('.bp6-table-quadrant-scroll-container')
    scrolled?.setAttribute('tabindex', '0')
    scrolled?.setAttribute('role', 'region')
    scrolled?.setAttribute('aria-label', title)
    // The headings are rendered twice; these are covered by the others.
    main?.querySelector('.bp6-table-top-container')?.setAttribute('inert', '')
  }, [title])
  const head = (column: RenderedColumn) => () => (
    <ColumnHeaderCell
      nameRenderer={() => (
        <div className="list-grid-head">
          {column.sort ? <SortButton {...{ column, sort, onSort }} /> : column.title}
        </div>
      )}
    />
  )
  const cell = (column: RenderedColumn) => (at: number) => (
    <Cell truncated={false} className={isRightAligned(column) ? 'list-end' : undefined}>
      <Value column={column} row={rows[at]} />
    </Cell>
  )
  const sheet = columns.map((column) => (
    <Column
      key={column.field}
      id={column.field}
      columnHeaderCellRenderer={head(column)}
      cellRenderer={cell(column)}
    />
  ))
  const buttons = screen.actions && (
    <Column
      key=" actions"
      id=" actions"
      name="Actions"
      cellRenderer={(at) => (
        <Cell truncated={false}>
          <Actions small actions={screen.actions} record={rows[at]} params={params} />
        </Cell>
      )}
    />
  )
  return (
    <div
      ref={box}
      className="list-grid"
      style={{ height: HEAD + ROW * Math.min(rows.length, MAX_ROWS) + 16 }}
    >
      <Table
        numRows={rows.length}
        defaultRowHeight={ROW}
        minRowHeight={ROW}
        defaultColumnWidth={WIDTH}
        enableRowHeader={false}
        selectionModes={SelectionModes.NONE}
        cellRendererDependencies={[rows, sort]}
      >
        {buttons ? [...sheet, buttons] : sheet}
      </Table>
    </div>
  )
}

import { Cell, Column, ColumnHeaderCell, FocusMode, Table } from '@blueprintjs/table'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { Actions } from '../actions/Actions.tsx'
import type { DrawnColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'
import { isEnd } from './ends.ts'
import { SortButton } from './HeadCell.tsx'
import type { SheetProps } from './Table.tsx'

const ROW = 32
const HEAD = 34
const MOST_ROWS = 18
const WIDTH = 170

/** The rows as a wide sheet, for lists with more columns than a page has room for; fetched only when one is opened. */
export default function Grid({
  screen,
  title,
  columns,
  rows,
  params,
  sort,
  onSort,
}: Omit<SheetProps, 'ref'>) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const main = box.current?.querySelector('.bp6-table-quadrant-main')
    // Blueprint's scroll box can be reached by neither the keyboard nor a name.
    const scrolled = main?.querySelector('.bp6-table-quadrant-scroll-container')
    scrolled?.setAttribute('tabindex', '0')
    scrolled?.setAttribute('role', 'region')
    scrolled?.setAttribute('aria-label', title)
    // The headings are drawn twice; these are covered by the others.
    main?.querySelector('.bp6-table-top-container')?.setAttribute('inert', '')
  }, [title])
  const head = (column: DrawnColumn) => () => (
    <ColumnHeaderCell
      nameRenderer={() => (
        <div className="list-grid-head">
          {column.sort ? <SortButton {...{ column, sort, onSort }} /> : column.title}
        </div>
      )}
    />
  )
  const cell = (column: DrawnColumn) => (at: number) => (
    <Cell truncated={false} className={isEnd(column) ? 'list-end' : undefined}>
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
    // biome-ignore lint/a11y/noStaticElementInteractions: Enter is for the cell that has the focus inside
    <div
      ref={box}
      className="list-grid"
      style={{ height: HEAD + ROW * Math.min(rows.length, MOST_ROWS) + 16 }}
      onKeyDown={openFocused}
    >
      <Table
        numRows={rows.length}
        defaultRowHeight={ROW}
        minRowHeight={ROW}
        defaultColumnWidth={WIDTH}
        enableRowHeader={false}
        focusMode={FocusMode.CELL}
        cellRendererDependencies={[rows, sort]}
      >
        {buttons ? [...sheet, buttons] : sheet}
      </Table>
    </div>
  )
}

/** Enter opens the link of the cell that the arrow keys chose. */
function openFocused(event: KeyboardEvent<HTMLDivElement>): void {
  if (event.key !== 'Enter' || (event.target as Element).closest('a, button')) return
  const focused = event.currentTarget.querySelector('.bp6-table-focus-region')?.getBoundingClientRect()
  if (!focused) return
  const under = document.elementsFromPoint(focused.x + focused.width / 2, focused.y + focused.height / 2)
  const cell = under.find((element) => element.classList.contains('bp6-table-cell'))
  cell?.querySelector<HTMLElement>('a, button')?.click()
}

import { HTMLTable } from '@blueprintjs/core'
import { Fragment, type ReactNode, useDeferredValue, useState } from 'react'
import type { Action, Counted, ListScreen, Opens } from '../../../contract/generated.ts'
import { holds, isSet } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import type { CellName } from '../../cells/cells.ts'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { FirstMark } from '../../cells/MarksCell.tsx'
import { tagClass } from '../../cells/tagClass.ts'
import { Value } from '../../cells/Value.tsx'
import { useContract } from '../../core/contract.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { menuOf } from '../../core/menuOf.ts'
import { countInWords, groupNeighbours, type Row } from '../../core/results.ts'
import { HeadCell, isRightAligned } from './HeadCell.tsx'
import type { Sort } from './state/listState.ts'
import { useCompactRows } from './state/useCompactRows.ts'
import { TickedValue } from './Tick.tsx'
import { Twist } from './Twist.tsx'
import { CELL, HEAD, ROW, ROW_HEAD, ROWS, TABLE } from './tableRoles.ts'
import { type Selection, uniqueName } from './useSelection.ts'

const OpenedRow = loadable(() => withStyle('openedRow', import('./OpenedRow.tsx')))

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

/** The rows as a table; on a narrow page the style sheet turns each row into a card. */
export function Table(props: SheetProps) {
  const { screen, title, columns, rows, totals, groups, params, sort, onSort, selection } = props
  const actions = screen.actions
  const contract = useContract()
  // In another order the rows of a group are not adjacent.
  const heading = screen.groupBy ?? screen.group
  const isGrouped = heading && (!sort || sort.field === heading)
  const [group] = isGrouped ? columnsOf(contract, screen.source, [heading]) : []
  const [isCompact] = useCompactRows()
  return (
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
  )
}

/** The classes of a table; one whose columns have widths has one line per row. */
export function tableClass(columns: RenderedColumn[], isCompact: boolean): string {
  const classes = ['list-table', hasWidths(columns) && 'list-lines', isCompact && 'list-compact']
  return classes.filter(Boolean).join(' ')
}

function hasWidths(columns: RenderedColumn[]): boolean {
  return columns.some(({ width }) => width)
}

/**
 * The widths of the columns, if the screen gives any. The browser gives columns of short values their width in em, and
 * columns of text their shares of what is left.
 */
export function Widths({
  columns,
  selection,
  actions,
}: Pick<SheetProps, 'columns' | 'selection'> & { actions?: Action[] }) {
  if (!hasWidths(columns)) return null
  return (
    <colgroup>
      {selection && <col className="list-select" />}
      {columns.map(({ field, width, as }) => (
        <col key={field} style={{ width: width ?? widthOf(as) }} />
      ))}
      {actions && <col style={{ width: roomFor(actions) }} />}
    </colgroup>
  )
}

/** Widths in em of short values and their headings. */
const SHORT: Partial<Record<CellName, number>> = { ago: 7, date: 9.4, due: 9.1, number: 4.2, tag: 3.9 }

/** The width of a column of short values with its padding, else the share of a column of text that a user added. */
function widthOf(cell: CellName): string {
  return SHORT[cell] === undefined ? '18%' : `calc(${SHORT[cell]}em + 2 * var(--cell-padding))`
}

/** Width in pixels of a small button with an icon. */
const ICON = 26

/** Width in pixels of a row's buttons: menus and forms with an icon have no text; the overflow menu “…” is as wide. */
function roomFor(actions: Action[]): number {
  const visible = actions.filter(({ rare }) => !rare)
  const widths = visible.map((action) =>
    (menuOf(action) || action.beside) && action.icon ? ICON : action.label.length * 8 + 24,
  )
  if (visible.length < actions.length) widths.push(ICON)
  return widths.reduce((sum, width) => sum + width, 12)
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

interface Grouping {
  group?: RenderedColumn
  groups?: Record<string, number>
  counted?: Counted
}

interface Props {
  rows: Row[]
  columns: RenderedColumn[]
  actions?: Action[]
  params: Record<string, unknown>
  selection?: Selection
  opens?: Opens
}

/** Number of rows that fill a large screen. */
const FIRST_ROWS = 25

/** The rows of a list, with a heading for each value of `group`; those below the screen follow in a second rendering. */
function Rows({ group, ...props }: Props & Grouping) {
  const isDrawn = useDeferredValue(true, false)
  const all = isDrawn ? props.rows : props.rows.slice(0, FIRST_ROWS)
  if (!group) return <Section {...props} rows={all} />
  return groupNeighbours(all, group.field).map((rows, i) => (
    <Section key={String(rows[0].id ?? i)} {...props} rows={rows} group={group} />
  ))
}

function Section({
  rows,
  columns,
  actions,
  params,
  group,
  groups,
  counted,
  selection,
  opens,
}: Props & Grouping) {
  const [opened, setOpened] = useState<unknown[]>([])
  const toggle = (id: unknown) =>
    setOpened(opened.includes(id) ? opened.filter((one) => one !== id) : [...opened, id])
  const width = columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)
  return (
    <tbody {...ROWS}>
      {group && (
        <tr {...ROW} className="list-group">
          <th {...ROW_HEAD} scope="rowgroup" colSpan={width}>
            <Value column={group} row={rows[0]} />
            {groups && (
              <span className="list-count">
                {` ${countInWords(groups[String(rows[0][group.field])], counted)}`}
              </span>
            )}
          </th>
        </tr>
      )}
      {rows.map((row, i) => (
        <Fragment key={String(row.id ?? i)}>
          <tr {...ROW}>
            {selection && (
              <td {...CELL} className="list-select">
                <SelectBox
                  label={`Select ${uniqueName(row, columns[0].field)}`}
                  {...{ selection }}
                  rows={[row]}
                />
              </td>
            )}
            {spanned(columns, row).map(([column, span], at) => (
              <BodyCell
                key={column.field}
                first={at === 0}
                {...{ column, span, row, params }}
                about={nameOf(row, columns)}
              >
                {opens && at === 0 && (
                  <Twist
                    {...{ opens, row }}
                    isOpen={opened.includes(row.id)}
                    onToggle={() => toggle(row.id)}
                  />
                )}
              </BodyCell>
            ))}
            {actions && (
              <td {...CELL} className="list-actions">
                <Actions small actions={actions} record={row} params={params} about={nameOf(row, columns)} />
              </td>
            )}
          </tr>
          {opens && opened.includes(row.id) && (
            <tr {...ROW} className="list-opened">
              <td {...CELL} colSpan={width}>
                <OpenedRow {...{ opens, row }} />
              </td>
            </tr>
          )}
        </Fragment>
      ))}
    </tbody>
  )
}

/**
 * The cells of a row as columns and the number of columns that each spans: where rows are one line, a text in the first
 * column also takes the room of the empty values after it, such as those of a task without a client.
 */
function spanned(columns: RenderedColumn[], row: Row): [RenderedColumn, number | undefined][] {
  const empty = hasWidths(columns)
    ? Math.max(
        0,
        columns.slice(1).findIndex((column) => hasText(column, row)),
      )
    : 0
  const [first, ...others] = columns
  return [[first, empty > 0 ? empty + 1 : undefined], ...others.slice(empty).map(alone)]
}

const alone = (column: RenderedColumn): [RenderedColumn, undefined] => [column, undefined]

/** True if a cell shows a value, another one in its place, or a text that says that there is none. */
function hasText({ field, otherwise, blank, empty }: RenderedColumn, row: Row): boolean {
  if (isSet(row[field]) || (otherwise && isSet(row[otherwise.field]))) return true
  return empty !== undefined || (blank !== undefined && holds(blank.when, { record: row }))
}

/** Name of a row, to distinguish its controls from those of others; if it can be ticked off, with its second column. */
function nameOf(row: Row, [first, second]: RenderedColumn[]): string {
  if (!first.tick) return String(row.label ?? row[first.field] ?? '')
  return [row[first.field], second && row[second.field]].filter(isSet).join(', ')
}

interface SelectBoxProps {
  label: string
  selection: Selection
  rows: Row[]
}

/** A checkbox that selects a row, or all rows of a page. */
function SelectBox({ label, selection, rows }: SelectBoxProps) {
  const ticked = rows.filter(selection.has).length
  const isAll = ticked > 0 && ticked === rows.length
  return (
    <input
      type="checkbox"
      aria-label={label}
      ref={(box) => {
        if (box) box.indeterminate = ticked > 0 && !isAll
      }}
      checked={isAll}
      onChange={() => selection.toggle(rows, !isAll)}
    />
  )
}

interface CellProps {
  first: boolean
  column: RenderedColumn
  span: number | undefined
  row: Row
  params: Record<string, unknown>
  /** Name of the row. */
  about: string
  /** What stands before the value. */
  children?: ReactNode
}

function BodyCell({ first, column, span, row, params, about, children }: CellProps) {
  const className = isRightAligned(column) ? 'list-end' : undefined
  const isTicked = column.tick || column.empty
  const value = isTicked ? (
    <TickedValue {...{ column, row, params, about }} />
  ) : (
    <Value column={column} row={row} />
  )
  const content =
    column.tags || column.marks ? (
      <span className="list-tagged">
        <span>{value}</span>
        {column.marks && <FirstMark value={row[column.marks]} />}
        <Tags {...{ column, row }} />
      </span>
    ) : (
      value
    )
  // A single line may clip the text.
  const title =
    column.width && column.as === 'text' && isSet(row[column.field]) ? String(row[column.field]) : undefined
  return first ? (
    <th
      {...ROW_HEAD}
      scope="row"
      colSpan={span}
      className={className}
      data-label={column.title}
      data-number={typeof row[column.field] === 'number' || undefined}
      title={title}
    >
      {children}
      {content}
    </th>
  ) : (
    <td
      {...CELL}
      className={className}
      data-label={column.title}
      data-clear={isClear(column, row[column.field]) || undefined}
      title={title}
    >
      {content}
    </td>
  )
}

/** Cells whose values say what they are, without the title of their column. */
const CLEAR: CellName[] = ['tag', 'due']

/** True if a value needs no label on a card: a tag, or the name of a record, which is a link. A number needs one. */
function isClear({ as, link, record }: RenderedColumn, value: unknown): boolean {
  const isNamed = as === 'text' && (link ?? record) !== undefined && typeof value !== 'number'
  return CLEAR.includes(as) || isNamed
}

/** Tags after a value, for fields of the row that are true. */
function Tags({ column: { tags = [], tagWords }, row }: { column: RenderedColumn; row: Row }) {
  return tags.map(({ field, colour }, i) =>
    row[field] === true || row[field] === 'yes' ? (
      <span key={field} className={tagClass(colour)}>
        {tagWords[i]}
      </span>
    ) : null,
  )
}

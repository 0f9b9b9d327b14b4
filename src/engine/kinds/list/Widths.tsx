import type { CSSProperties, ReactNode } from 'react'
import type { Action } from '../../../contract/generated.ts'
import type { CellName } from '../../cells/cells.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { menuOf } from '../../core/menuOf.ts'
import type { Selection } from './useSelection.ts'

/** The classes of a table; one whose columns have widths has one line per row. */
export function tableClass(columns: RenderedColumn[], isCompact: boolean): string {
  const classes = ['list-table', hasWidths(columns) && 'list-lines', isCompact && 'list-compact']
  return classes.filter(Boolean).join(' ')
}

export function hasWidths(columns: RenderedColumn[]): boolean {
  return columns.some(({ width }) => width)
}

interface WidthsProps {
  columns: RenderedColumn[]
  selection?: Selection
  actions?: Action[]
}

/**
 * The widths of the columns, if the screen gives any. The browser gives columns of short values their width in em, and
 * columns of text their shares of what is left.
 */
export function Widths({ columns, selection, actions }: WidthsProps) {
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

interface SheetProps extends Omit<WidthsProps, 'selection'> {
  children: ReactNode
}

/** The box around a table. If it is narrower than the columns need, the style sheet turns the rows into cards. */
export function TableSheet({ columns, actions = [], children }: SheetProps) {
  const ofColumns = columns.reduce((sum, column) => sum + roomOf(column), 0)
  // Columns with widths share the available width.
  const room = hasWidths(columns) ? 0 : ofColumns + roomFor(actions)
  return (
    <div className="list-sheet" style={{ '--room': room } as CSSProperties}>
      {children}
    </div>
  )
}

/** Minimum widths in em of columns in which values can be read, with their padding. */
const READABLE: Partial<Record<CellName, number>> = { hours: 5, yesno: 5, size: 5, tag: 7, date: 7, ago: 7 }
const READABLE_NUMBER = 5
const READABLE_NAME = 8
const READABLE_SENTENCE = 11
/** Maximum length of a text field that has a name and not a sentence. */
const MAX_NAME = 201
const FONT_SIZE = 14

function roomOf({ as, sort, title, property: { maxLength = 0, type } }: RenderedColumn): number {
  const isNumber = type === 'integer' || type === 'number'
  const ofText = maxLength > MAX_NAME ? READABLE_SENTENCE : READABLE_NAME
  const ofValues = READABLE[as] ?? (isNumber ? READABLE_NUMBER : ofText)
  // The heading of a column to sort by is one line.
  return FONT_SIZE * Math.max(ofValues, sort ? title.length / 2 + 2 : 0)
}

/** Width in pixels of a small button with an icon. */
const ICON = 26

/** Width in pixels of a row's buttons: menus and forms with an icon have no text; the overflow menu “…” is as wide. */
function roomFor(actions: Action[]): number {
  const visible = actions.filter(({ rare }) => !rare)
  const widths = visible.map((action) =>
    (menuOf(action) || action.sidePanel) && action.icon ? ICON : action.label.length * 8 + 24,
  )
  if (visible.length < actions.length) widths.push(ICON)
  return widths.reduce((sum, width) => sum + width, 12)
}

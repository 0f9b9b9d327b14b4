import { Icon } from '@blueprintjs/core'
import { useState } from 'react'
import type { Action, Opens } from '../../../contract/generated.ts'
import { holds, isSet } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import type { RenderedColumn } from '../../cells/columns.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { Row } from '../../core/results.ts'
import { BodyCell } from './BodyCell.tsx'
import { SelectBox } from './SelectBox.tsx'
import { CELL, ROW } from './tableRoles.ts'
import { type Selection, uniqueName } from './useSelection.ts'
import { hasWidths } from './Widths.tsx'

const OpenedRow = loadable(() => withStyle('openedRow', import('./OpenedRow.tsx')))

export interface RowProps {
  columns: RenderedColumn[]
  actions?: Action[]
  params: Record<string, unknown>
  selection?: Selection
  opens?: Opens
}

export function cellCount({ columns, actions, selection }: RowProps): number {
  return columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)
}

/** A row, and below it what it opens. */
export function TableRow({ row, ...props }: RowProps & { row: Row }) {
  const { columns, actions, params, selection, opens } = props
  const [isOpen, setOpen] = useState(false)
  return (
    <>
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
              <ExpandButton {...{ opens, row, isOpen }} onToggle={() => setOpen(!isOpen)} />
            )}
          </BodyCell>
        ))}
        {actions && (
          <td {...CELL} className="list-actions">
            <Actions small actions={actions} record={row} params={params} about={nameOf(row, columns)} />
          </td>
        )}
      </tr>
      {opens && isOpen && (
        <tr {...ROW} className="list-opened">
          <td {...CELL} colSpan={cellCount(props)}>
            <OpenedRow {...{ opens, row }} />
          </td>
        </tr>
      )}
    </>
  )
}

/**
 * The cells of a row as columns and the number of columns that each spans: where rows are one line, a text in the first
 * column also takes the room of the empty values after it, such as those of a task without a client.
 */
function spanned(columns: RenderedColumn[], row: Row): [RenderedColumn, number | undefined][] {
  const [first, ...others] = columns
  const next = hasWidths(columns) ? others.findIndex((column) => hasText(column, row)) : 0
  const empty = next < 0 ? others.length : next
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

interface ExpandProps {
  opens: Opens
  row: Row
  isOpen: boolean
  onToggle: () => void
}

/** The triangle that opens and closes what stands below a row. */
function ExpandButton({ opens, row, isOpen, onToggle }: ExpandProps) {
  return (
    <button
      type="button"
      className="list-expand no-print"
      aria-expanded={isOpen}
      aria-label={fillTemplate(opens.label, row)}
      onClick={onToggle}
    >
      <Icon icon={isOpen ? 'caret-down' : 'caret-right'} aria-hidden />
    </button>
  )
}

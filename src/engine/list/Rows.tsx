import type { Action } from '../../contract/generated.ts'
import { Actions } from '../actions/Actions.tsx'
import type { RenderedColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'
import { groupNeighbours } from './groupNeighbours.ts'
import { isRightAligned } from './isRightAligned.ts'
import type { Row } from './results.ts'
import { CELL, ROW, ROW_HEAD, ROWS } from './tableRoles.ts'

interface Props {
  rows: Row[]
  columns: RenderedColumn[]
  actions?: Action[]
  params: Record<string, unknown>
}

/** The rows of a list; those that share `group` under a heading each. */
export function Rows({ group, ...props }: Props & { group?: RenderedColumn }) {
  if (!group) return <Section {...props} />
  return groupNeighbours(props.rows, group.field).map((rows) => (
    <Section key={String(rows[0].id)} {...props} rows={rows} group={group} />
  ))
}

function Section({ rows, columns, actions, params, group }: Props & { group?: RenderedColumn }) {
  return (
    <tbody {...ROWS}>
      {group && (
        <tr {...ROW} className="list-group">
          <th {...ROW_HEAD} scope="rowgroup" colSpan={columns.length + (actions ? 1 : 0)}>
            <Value column={group} row={rows[0]} />
          </th>
        </tr>
      )}
      {rows.map((row, i) => (
        <tr {...ROW} key={String(row.id ?? i)}>
          {columns.map((column, at) => (
            <BodyCell key={column.field} first={at === 0} column={column} row={row} />
          ))}
          {actions && (
            <td {...CELL} className="list-actions">
              <Actions
                small
                actions={actions}
                record={row}
                params={params}
                about={String(row.label ?? row[columns[0].field] ?? '')}
              />
            </td>
          )}
        </tr>
      ))}
    </tbody>
  )
}

function BodyCell({ first, column, row }: { first: boolean; column: RenderedColumn; row: Row }) {
  const className = isRightAligned(column) ? 'list-end' : undefined
  const value = <Value column={column} row={row} />
  return first ? (
    <th {...ROW_HEAD} scope="row" className={className} data-label={column.title}>
      {value}
    </th>
  ) : (
    <td {...CELL} className={className} data-label={column.title}>
      {value}
    </td>
  )
}

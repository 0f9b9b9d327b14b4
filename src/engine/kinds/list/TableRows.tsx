import { useDeferredValue } from 'react'
import type { Counted } from '../../../contract/generated.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { countInWords, groupNeighbours, type Row } from '../../core/results.ts'
import { cellCount, type RowProps, TableRow } from './TableRow.tsx'
import { ROW, ROW_HEAD, ROWS } from './tableRoles.ts'

interface Props extends RowProps {
  rows: Row[]
}

interface Grouping {
  group?: RenderedColumn
  groups?: Record<string, number>
  counted?: Counted
}

/** Number of rows that fill a large screen. */
const FIRST_ROWS = 25

/** The rows of a list, with a heading for each value of `group`; those below the screen follow in a second rendering. */
export function Rows({ group, ...props }: Props & Grouping) {
  const isRendered = useDeferredValue(true, false)
  const all = isRendered ? props.rows : props.rows.slice(0, FIRST_ROWS)
  if (!group) return <Section {...props} rows={all} />
  return groupNeighbours(all, group.field).map((rows, i) => (
    <Section key={String(rows[0].id ?? i)} {...props} rows={rows} group={group} />
  ))
}

function Section({ rows, group, groups, counted, ...props }: Props & Grouping) {
  return (
    <tbody {...ROWS}>
      {group && (
        <tr {...ROW} className="list-group">
          <th {...ROW_HEAD} scope="rowgroup" colSpan={cellCount(props)}>
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
        <TableRow key={String(row.id ?? i)} row={row} {...props} />
      ))}
    </tbody>
  )
}

import { memo } from 'react'
import type { RenderedColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'
import type { Row } from '../list/results.ts'
import { CELL, ROW, ROW_HEAD } from '../list/tableRoles.ts'
import type { Choice } from '../widgets/Typeahead.tsx'
import { AssigneeSelect } from './AssigneeSelect.tsx'
import type { AssignQuestion } from './choiceParameters.ts'

interface Props {
  id: string
  row: Row
  columns: RenderedColumn[]
  assignment: AssignQuestion
  except: unknown
  chosen: Choice | undefined
  error: string | undefined
  onChoose: (row: Row, choice: Choice | undefined) => void
}

/** A row and the box of what it is given; drawn anew only when that changes, for there may be hundreds. */
export const AssignRow = memo(function AssignRow(props: Props) {
  const { id, row, columns, assignment, except, chosen, error, onChoose } = props
  const [first, ...others] = columns
  return (
    <tr {...ROW}>
      <th {...ROW_HEAD} scope="row" data-label={first.title}>
        <Value column={first} row={row} />
      </th>
      {others.map((column) => (
        <td {...CELL} key={column.field} data-label={column.title}>
          <Value column={column} row={row} />
        </td>
      ))}
      <td {...CELL} className="field" data-label={assignment.label}>
        <AssigneeSelect
          {...{ id, assignment, row, except, chosen, error }}
          label={`${assignment.label} of ${row[first.field] ?? ''}, ${row.id}`}
          isHidden
          onChoose={(choice) => onChoose(row, choice)}
        />
      </td>
    </tr>
  )
})

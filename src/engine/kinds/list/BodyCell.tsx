import type { ReactNode } from 'react'
import { isSet } from '../../../contract/when.ts'
import type { CellName } from '../../cells/cells.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { FirstMark } from '../../cells/MarksCell.tsx'
import { tagClass } from '../../cells/tagClass.ts'
import { Value } from '../../cells/Value.tsx'
import type { Row } from '../../core/results.ts'
import { isRightAligned } from './HeadCell.tsx'
import { TickedValue } from './Tick.tsx'
import { CELL, ROW_HEAD } from './tableRoles.ts'

interface Props {
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

/** A value of a row; that of the first column names the row. */
export function BodyCell({ first, column, span, row, params, about, children }: Props) {
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
      data-warn={(column.warn && Number(row[column.field]) > 0) || undefined}
      data-clear={isClear(column, row[column.field]) || undefined}
      data-long={((row[column.field] as string | null)?.length ?? 0) > LONG || undefined}
      title={title}
    >
      {content}
    </td>
  )
}

/** Cells whose values say what they are, without the title of their column. */
const CLEAR: CellName[] = ['tag', 'due']

/** Length from which a value would have one word per line in a narrow column. */
const LONG = 24

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

import { HTMLTable } from '@blueprintjs/core'
import type { Ref } from 'react'
import type { ListScreen } from '../../contract/generated.ts'
import { columnsOf, type RenderedColumn } from '../cells/columns.ts'
import { useContract } from '../runtime/contract.ts'
import { HeadCell } from './HeadCell.tsx'
import type { Sort } from './listState.ts'
import { Rows } from './Rows.tsx'
import type { Row } from './results.ts'
import { HEAD, ROW, ROWS, TABLE } from './tableRoles.ts'

export interface SheetProps {
  ref?: Ref<HTMLTableElement>
  screen: ListScreen
  title: string
  columns: RenderedColumn[]
  rows: Row[]
  params: Record<string, unknown>
  sort?: Sort
  onSort: (sort: Sort) => void
}

/** The rows as a table; on a narrow page the style sheet turns each row into a card. */
export function Table({ ref, screen, title, columns, rows, params, sort, onSort }: SheetProps) {
  const actions = screen.actions
  const contract = useContract()
  // Under another order the rows of a group no longer stand together.
  const isGrouped = screen.group && (!sort || sort.field === screen.group)
  const [group] = isGrouped ? columnsOf(contract, screen.source, [screen.group!]) : []
  return (
    <HTMLTable {...TABLE} ref={ref} compact className="list-table">
      <caption className="visually-hidden">{title}</caption>
      <thead {...ROWS}>
        <tr {...ROW}>
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
      <Rows {...{ rows, columns, actions, params, group }} />
    </HTMLTable>
  )
}

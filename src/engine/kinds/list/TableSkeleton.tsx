import { Classes, HTMLTable } from '@blueprintjs/core'
import { useCompactRows } from './state/useCompactRows.ts'
import type { SheetProps } from './Table.tsx'
import { TableSheet, tableClass, Widths } from './Widths.tsx'

const ROWS = 8

/** The loading state of a table: its headings, and placeholders of the same size as the rows. */
export function TableSkeleton({
  screen,
  columns,
  selection,
}: Pick<SheetProps, 'screen' | 'columns' | 'selection'>) {
  const { actions, group, groupBy } = screen
  const [isCompact] = useCompactRows()
  return (
    <div className="skeleton list-body" role="status">
      <span className="visually-hidden">Loading</span>
      <TableSheet {...{ columns, actions }}>
        <HTMLTable compact aria-hidden="true" className={tableClass(columns, isCompact)}>
          <Widths {...{ columns, selection, actions }} />
          <thead>
            <tr>
              {selection && <th className="list-select" />}
              {columns.map(({ field, title, sort }) => (
                <th key={field}>{sort ? <span className="list-sort">{title}</span> : title}</th>
              ))}
              {actions && <th />}
            </tr>
          </thead>
          <tbody>
            {(groupBy ?? group) && (
              <tr className="list-group">
                <th colSpan={columns.length + (actions ? 1 : 0) + (selection ? 1 : 0)}>
                  <Line />
                </th>
              </tr>
            )}
            {Array.from({ length: ROWS }, (_, row) => (
              <tr key={row}>
                {selection && <td className="list-select" />}
                {columns.map(({ field, title }, at) =>
                  at === 0 ? (
                    <th key={field} scope="row">
                      <Line />
                    </th>
                  ) : (
                    <td key={field} data-label={title}>
                      <Line />
                    </td>
                  ),
                )}
                {actions && <td className="list-actions" />}
              </tr>
            ))}
          </tbody>
        </HTMLTable>
      </TableSheet>
    </div>
  )
}

function Line() {
  return <span className={`${Classes.SKELETON} skeleton-text`} />
}

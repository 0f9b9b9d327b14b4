import type { OpenWork as Described } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { columnsOf } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { useContract } from '../../core/contract.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import { useOpenWork } from './readsAbove.ts'

/**
 * The open work of a record, such as the open issues of a client who died, each with its buttons; nothing if there is
 * none.
 */
export default function OpenWork({ openWork, record }: { openWork: Described; record: Values }) {
  const contract = useContract()
  const { read, columns: described, actions } = openWork
  const { data, error, refetch } = useOpenWork(openWork, record)
  if (data ? data.data.length === 0 : !error) return null
  const columns = columnsOf(contract, read, described)
  const others = data ? data.pagination.count - data.data.length : 0
  return (
    <section className="banner open-work" aria-label="Open work">
      {data ? (
        <>
          <p>
            <strong>{data.words}</strong>
          </p>
          <ul>
            {data.data.map((row) => (
              <li key={String(row.id)}>
                <span>
                  {columns
                    .filter(({ field }) => isSet(row[field]))
                    .map((column) => (
                      <span className="open-work-part" key={column.field}>
                        <Value column={column} row={row} />
                      </span>
                    ))}
                </span>
                <span className="open-work-actions no-print">
                  <Actions
                    small
                    {...{ actions, record: row }}
                    params={{}}
                    about={String(row[columns[0].field])}
                  />
                </span>
              </li>
            ))}
          </ul>
          {others > 0 && <p>And {others} more.</p>}
        </>
      ) : (
        <ReadFailure title="Open work could not be read." error={error} onRetry={() => void refetch()} />
      )}
    </section>
  )
}

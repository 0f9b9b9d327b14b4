import type { OpenWork as Described } from '../../../contract/generated.ts'
import { isSet, type Values, valueAt } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { columnsOf } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import type { ListReply } from '../../core/results.ts'

const PAGE_SIZE = 50

/** What a record leaves undone, each with its buttons; nothing if all is done. */
export default function OpenWork({ openWork, record }: { openWork: Described; record: Values }) {
  const contract = useContract()
  const { read, id: path, columns: described, actions } = openWork
  const id = valueAt(path, { record })
  const { data, error, refetch } = useRead<ListReply & { words: string }>(isSet(id) ? read : undefined, {
    params: { id },
    query: { page_size: PAGE_SIZE },
  })
  if (!isSet(id) || (data ? data.data.length === 0 : !error)) return null
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

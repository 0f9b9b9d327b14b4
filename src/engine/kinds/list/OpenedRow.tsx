import { useMemo } from 'react'
import { Link } from 'react-router-dom'
import type { Opens } from '../../../contract/generated.ts'
import { columnsOf } from '../../cells/columns.ts'
import { Skeleton } from '../../core/Busy.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { linkTo } from '../../core/link.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import type { ListReply, Row } from '../../core/results.ts'
import { Table } from './Table.tsx'

const ROWS = 5

/** The first rows of the list that a row opens below itself, and the links to what belongs to it. */
export default function OpenedRow({ opens, row }: { opens: Opens; row: Row }) {
  const contract = useContract()
  const params = Object.fromEntries(Object.entries(opens.params).map(([name, field]) => [name, row[field]]))
  const query = { ...opens.query, page_size: opens.rows ?? ROWS }
  const { data, error, refetch } = useRead<ListReply>(opens.list, { params, query })
  const columns = useMemo(() => columnsOf(contract, opens.list, opens.columns), [contract, opens])
  const title = fillTemplate(opens.label, row)
  if (!data)
    return error ? (
      <ReadFailure title={`${title} could not be read.`} error={error} onRetry={() => void refetch()} />
    ) : (
      <Skeleton lines={opens.rows ?? ROWS} />
    )
  const { count } = data.pagination
  return (
    <div className="opened-row">
      <p className="opened-row-head">
        <span className="blank">
          {count === 0
            ? (opens.empty ?? 'There are none.')
            : [`${data.data.length} of ${count}`, opens.order].filter(Boolean).join(', ')}
        </span>
        {(opens.links ?? []).map(({ label, to }) => {
          const page = linkTo(to, row)
          return page && <Link key={to} to={page} children={fillTemplate(label, row)} />
        })}
      </p>
      {count > 0 && (
        <div className="list-body">
          <Table screen={{ source: opens.list }} {...{ title, columns, params }} rows={data.data} />
        </div>
      )}
    </div>
  )
}

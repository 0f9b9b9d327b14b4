import { Callout } from '@blueprintjs/core'
import { useMemo } from 'react'
import { useParams } from 'react-router-dom'
import type { AssignScreen } from '../../../contract/generated.ts'
import { columnsOf } from '../../cells/columns.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { loadStyle } from '../../core/loadStyle.ts'
import { Missing } from '../../core/Missing.tsx'
import { useDocumentTitle } from '../../core/pageContext.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { ListHeader } from '../list/ListHeader.tsx'
import { AssignForm } from './AssignForm.tsx'

await loadStyle('assign')

/** The largest page size of a call. */
const PAGE_SIZE = 500

/** A screen that assigns each row of a list to a record that the user selects. */
export default function Assign({ screen }: { screen: AssignScreen }) {
  const contract = useContract()
  const params = useParams()
  const about = useRead<Row>(screen.read, { params })
  const read = useRead<ListReply>(screen.source, { params, query: { page_size: PAGE_SIZE } })
  const columns = useMemo(() => columnsOf(contract, screen.source, screen.columns), [contract, screen])
  const isKnown = !screen.read || about.data !== undefined
  const known = { ...params, ...about.data }
  const title = fillTemplate(screen.title, known)
  useDocumentTitle(isKnown ? title : undefined)
  useRecordBreadcrumbs(screen, isKnown ? known : undefined, title)
  const failed = [about, read].find(({ error }) => error)
  if (failed) {
    const { title: what } = entityOf(contract, screen.read ?? screen.source)
    return <Missing what={what} error={failed.error} onRetry={() => void failed.refetch()} />
  }
  if (!isKnown || !read.data) return <Busy lines={10} />
  const { data: rows, pagination } = read.data
  return (
    <section className="list assign">
      <ListHeader title={title} about={rows.length > 0 ? screen.about : undefined}>
        {null}
      </ListHeader>
      {pagination.count > rows.length && (
        <Callout className="form-note" intent="warning" compact>
          These are the first {rows.length} of {pagination.count}; the others follow once these are saved.
        </Callout>
      )}
      {rows.length === 0 ? (
        <p className="list-results">{screen.empty ?? 'There is nothing here.'}</p>
      ) : (
        <AssignForm {...{ screen, title, columns, rows, params, record: about.data }} />
      )}
    </section>
  )
}

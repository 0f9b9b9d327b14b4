import { useMemo } from 'react'
import { useParams, useSearchParams } from 'react-router-dom'
import type { FormScreen } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Actions } from '../actions/Actions.tsx'
import { Busy } from '../page/Busy.tsx'
import { useRecordBreadcrumbs } from '../page/breadcrumbs.ts'
import { Heading } from '../page/Heading.tsx'
import { useDocumentTitle } from '../page/pageContext.ts'
import { Missing } from '../page/RecordMissing.tsx'
import { ScreensBelow } from '../page/ScreensBelow.tsx'
import { useRead } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { entityOf } from '../runtime/entityOf.ts'
import { fillTemplate } from '../runtime/fillTemplate.ts'
import { useUser } from '../runtime/user.ts'
import { useWith } from '../runtime/useWith.ts'
import { EditForm } from './EditForm.tsx'
import { NewRecord } from './NewRecord.tsx'

/** A record to fill in, or to look at; the address says which. */
export default function Form({ screen }: { screen: FormScreen }) {
  const contract = useContract()
  const user = useUser()
  const address = useParams()
  const params = useMemo<Values>(() => ({ ...screen.fixedParams, ...address }), [screen, address])
  const [search] = useSearchParams()
  const read = useRead<Values>(screen.read, { params })
  const { data: record } = read
  const query = useMemo(() => ({ ...Object.fromEntries(search), ...params }), [search, params])
  const withs = useWith(screen.with, { record, user, query })
  const isNew = !screen.read
  const known = { ...params, ...record, with: withs.values }
  const title = fillTemplate(screen.title, known)
  useDocumentTitle(record || isNew ? title : undefined)
  useRecordBreadcrumbs(screen, record || isNew ? known : undefined, title)
  const error = record ? withs.error : (read.error ?? withs.error)
  if (error) {
    const what = screen.read ? entityOf(contract, screen.read).title : 'record'
    return <Missing what={what} error={error} onRetry={() => void read.refetch()} />
  }
  if ((!isNew && !record) || !withs.isReady) return <Busy lines={10} />
  return (
    <>
      <div className="form-head">
        <Heading>{title}</Heading>
        <Actions actions={screen.actions} record={record} params={params} />
      </div>
      {screen.about && <p>{screen.about}</p>}
      {record ? (
        <EditForm {...{ screen, record, withs, params }} />
      ) : (
        <NewRecord {...{ screen, withs, query, params }} />
      )}
      <ScreensBelow screens={screen.below} title={title} />
    </>
  )
}

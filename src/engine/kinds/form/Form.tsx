import { Classes } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { useLocation, useParams, useSearchParams } from 'react-router-dom'
import type { FormScreen } from '../../../contract/generated.ts'
import type { ConditionContext, Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { Busy } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { Heading } from '../../core/Heading.tsx'
import { Missing } from '../../core/Missing.tsx'
import { useDocumentTitle } from '../../core/pageContext.ts'
import { ScreensBelow } from '../../core/ScreensBelow.tsx'
import { useDelayed } from '../../core/useDelayed.ts'
import { useKnownValues } from '../../core/useKnownValues.ts'
import { useUser } from '../../core/user.ts'
import { useWith, type WithValues } from '../../core/useWith.ts'
import { DraftMissing } from '../../form/drafts/DraftMissing.tsx'
import { takeUnsaved } from '../../form/drafts/unsavedDocument.ts'
import { EffectsQuestion } from '../../form/EffectsQuestion.tsx'
import { seenAtPlaces } from '../../form/store/seenAt.ts'
import { EditForm } from './EditForm.tsx'
import { addressOf, NewForm } from './NewForm.tsx'
import { RecordCards } from './RecordCards.tsx'
import { type Start, type StoredDraft, startOf } from './useNewRecord.ts'

/** A form screen: a new record, or an existing one by the parameters of the route. */
export default function Form({ screen }: { screen: FormScreen }) {
  const contract = useContract()
  const user = useUser()
  const address = useParams()
  const params = useMemo<Values>(() => ({ ...screen.fixedParams, ...address }), [screen, address])
  const [search] = useSearchParams()
  const read = useRead<Values>(screen.read, { params })
  const { data: record } = read
  const query = useMemo(() => ({ ...Object.fromEntries(search), ...params }), [search, params])
  // Reads by ids of the record start before it is loaded, if a list has its values.
  const listed = useKnownValues(screen.read, params.id)
  const withs = useWith(screen.with, { record: record ?? listed, user, query })
  const isNew = !screen.read
  const known = { ...params, ...record, with: withs.values }
  const title = fillTemplate(screen.title, known)
  useDocumentTitle(record || isNew ? title : undefined)
  useRecordBreadcrumbs(screen, record || isNew ? known : undefined, title)
  const error = record ? withs.error : (read.error ?? withs.error)
  if (error) {
    const what = screen.read ? entityOf(contract, screen.read).title : 'record'
    return (
      <Missing what={what} error={error} onRetry={() => (read.error ? void read.refetch() : withs.retry())} />
    )
  }
  if ((!isNew && !record) || !withs.isReady)
    return screen.opens === 'toRead' ? <CardsSkeleton /> : <Busy lines={10} />
  return (
    <>
      <div className="form-head">
        <Heading>{title}</Heading>
        <Actions actions={screen.actions} record={record} params={params} />
      </div>
      {screen.about && <p>{screen.about}</p>}
      <EffectsQuestion effects={screen.effects} params={params}>
        {record && screen.opens === 'toRead' && <RecordCards {...{ screen, record, withs, params }} />}
        {record && screen.opens !== 'toRead' && <EditForm {...{ screen, record, withs, params }} />}
        {!record && <NewRecord {...{ screen, withs, query, params }} />}
      </EffectsQuestion>
      <ScreensBelow screens={screen.below} title={title} />
    </>
  )
}

interface Props {
  screen: FormScreen
  withs: WithValues
  query: Values
  params: Values
}

/** A new record, and those added after it; the URL has the id of a draft to resume (`?draft=12`). */
function NewRecord({ screen, withs, query, params }: Props) {
  const contract = useContract()
  const user = useUser()
  const { pathname } = useLocation()
  const [search, setSearch] = useSearchParams()
  const address = addressOf(pathname, search)
  // The URL also gets the id of a draft that is created here; only an id present at mount is fetched.
  const [draft] = useState(() => search.get('draft'))
  const [round, setRound] = useState(0)
  const [start, setStart] = useState<Start | undefined>(() =>
    draft === null ? { unsaved: takeUnsaved(user.id, address, undefined) } : undefined,
  )
  const read = useRead<StoredDraft>(start ? undefined : 'drafts.read', { params: { id: draft } })
  const conditionContext = useMemo<ConditionContext>(
    () => ({
      with: withs.values,
      user,
      query,
      withDefaults: true,
      seenAt: seenAtPlaces(contract, screen.groups, { with: withs.values }),
    }),
    [contract, screen, withs.values, user, query],
  )
  if (start) {
    const begin = () => {
      setStart({})
      setRound(round + 1)
      setSearch(new URLSearchParams([...search].filter(([name]) => name !== 'draft')), { replace: true })
    }
    // Wait one tick: the save refetched the defaults of the next record, and the query client notifies in a timer.
    const again = () => setTimeout(begin)
    return (
      <NewForm
        key={round}
        {...{ screen, start, conditionContext, params }}
        isNext={round > 0}
        onAgain={again}
      />
    )
  }
  if (read.error) return <DraftMissing error={read.error} onRetry={() => void read.refetch()} />
  // Wait for the refetch: the cached draft may be older than the saved one.
  if (read.data && !read.isFetching) setStart(startOf(read.data, takeUnsaved(user.id, address, read.data.id)))
  return <Busy lines={10} />
}

const CARDS = 3
const LINES = 4

/** Placeholder of a record that is loading: grey lines for its section index and cards, after a delay. */
function CardsSkeleton() {
  const late = useDelayed(true)
  return late ? (
    <div className="skeleton record" role="status">
      <span className="visually-hidden">Loading</span>
      <div className="section-index" aria-hidden="true">
        {lines(CARDS * 2)}
      </div>
      <div className="form record-cards" aria-hidden="true">
        {Array.from({ length: CARDS }, (_, card) => (
          <div key={card} className="form-section card">
            <div className="card-head">{lines(1)}</div>
            <div className="read-list">
              {Array.from({ length: LINES }, (_, line) => (
                <div key={line} className="read-item">
                  {lines(2)}
                </div>
              ))}
            </div>
          </div>
        ))}
      </div>
    </div>
  ) : null
}

function lines(count: number) {
  return Array.from({ length: count }, (_, line) => (
    <span key={line} className={`${Classes.SKELETON} skeleton-text`} />
  ))
}

import { Classes } from '@blueprintjs/core'
import { useContext, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { Navigate, NavLink, Outlet, useLocation, useParams } from 'react-router-dom'
import { allows } from '../../../contract/access.ts'
import { fillPath, partsOf } from '../../../contract/call.ts'
import type { DetailScreen } from '../../../contract/generated.ts'
import { deathOf } from '../../../contract/lifespan.ts'
import { STATUS } from '../../../contract/status.ts'
import { holds, isSet, type Values, valueAt } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { PrintContext, TabPrintContext } from '../../actions/print.ts'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { Skeleton } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead, useSend } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { Heading } from '../../core/Heading.tsx'
import { loadable } from '../../core/loadable.tsx'
import { Missing } from '../../core/Missing.tsx'
import { MayChangeContext } from '../../core/mayChange.ts'
import { PrintFooter } from '../../core/PrintFooter.tsx'
import { PageContext, useDocumentTitle } from '../../core/pageContext.ts'
import { useDelayed } from '../../core/useDelayed.ts'
import { useKnownValues } from '../../core/useKnownValues.ts'
import { useUser } from '../../core/user.ts'
import { Banner } from './Banner.tsx'
import { useWaitsForAbove } from './readsAbove.ts'

const Aside = loadable(() => import('./Aside.tsx'), <AsidePlace />)
const Progress = loadable(() => import('./Progress.tsx'))
const OpenWork = loadable(() => import('./OpenWork.tsx'))
const Cards = loadable(() => import('./Cards.tsx'))

/** A record's page: its name, tags, facts and actions above tabs; the address selects the open tab. */
export default function Detail({ screen }: { screen: DetailScreen }) {
  const contract = useContract()
  const params = useParams()
  const { pathname, search } = useLocation()
  const read = useRead<Values>(screen.read, { params })
  const { data: record, error } = read
  const listed = useKnownValues(screen.read, params.id)
  const known = { ...listed, ...params, ...record }
  // With values known from a list, the name and the tabs are rendered at once; the tabs load their data in parallel.
  const isNamed = listed !== undefined && partsOf(screen.title).every((part) => isSet(known[part]))
  const late = useDelayed(read.isLoading && !isNamed)
  const { title: what } = entityOf(contract, screen.read)
  // For a missing record, a title that consists of its values is empty.
  const title = fillTemplate(screen.title, known).trim() || what
  useDocumentTitle(record || isNamed ? undefined : title)
  useRecordBreadcrumbs(screen, record && known, title)
  if (record && isMerged(record, params)) {
    const remaining = pathname.replace(
      fillPath(screen.route, params),
      fillPath(screen.route, { ...params, id: record.id }),
    )
    return <Navigate replace to={remaining + search} />
  }
  if (late) return <RecordSkeleton {...{ screen, params }} />
  if (record || (isNamed && !error)) return <Record {...{ screen, record, listed, params, title }} />
  if (!error) return null
  return <Missing what={what} error={error} onRetry={() => void read.refetch()} />
}

/** True if the record of the address was merged into the one that was read. */
function isMerged({ merged_from }: Values, { id }: Values): boolean {
  return Array.isArray(merged_from) && merged_from.includes(Number(id))
}

interface Props {
  screen: DetailScreen
  /** Undefined while it is loading. */
  record: Values | undefined
  /** Its values known from lists, if any. */
  listed: Values | undefined
  params: Values
  title: string
}

function Record({ screen, record, listed, params, title }: Props) {
  const contract = useContract()
  const known = record ?? listed
  const columns = useMemo(() => {
    const tags = screen.tags?.map((field) => ({ field, as: 'tag' })) ?? []
    return {
      tags: columnsOf(contract, screen.read, tags),
      facts: columnsOf(contract, screen.read, screen.facts ?? []),
    }
  }, [contract, screen])
  // The aside is rendered after the record, with lower priority.
  const hasAside = useDeferredValue(record !== undefined, false)
  const isWaiting = useWaitsForAbove(screen, known, params)
  const ofTab = useRef<() => void>(undefined)
  const { titles } = useContext(PageContext)
  const place = useMemo(() => ({ titles: [title, ...titles], inside: true }), [title, titles])
  return (
    <MayChangeContext value={record?.may_change !== false}>
      <article className="detail" data-waiting={isWaiting || undefined}>
        {screen.opened && record && <Opened opened={screen.opened} record={record} />}
        <header>
          <div className="detail-head">
            <Heading>{title}</Heading>
            {record &&
              columns.tags
                .filter(({ field }) => field !== 'status' || !isImplied(record))
                .map(({ field, property, Cell }) => (
                  <Cell key={field} value={record[field]} property={property} row={record} />
                ))}
            {record && (
              <PrintContext value={() => (ofTab.current ?? (() => window.print()))()}>
                <Actions actions={screen.actions} record={record} params={params} />
              </PrintContext>
            )}
          </div>
          <Facts facts={columns.facts} record={record} />
        </header>
        {screen.banner && known && <Banner banner={screen.banner} record={known} />}
        {screen.openWork && record && holds(screen.openWork.when, { record }) && (
          <OpenWork openWork={screen.openWork} record={record} />
        )}
        {screen.cards && record && <Cards cards={screen.cards} params={params} />}
        {screen.progress && record && (
          <Progress progress={screen.progress} call={screen.read} record={record} params={params} />
        )}
        <Tabs label={title} screen={screen} record={record} params={params} />
        <div className="detail-body">
          <div className="detail-tab">
            <TabPrintContext value={ofTab}>
              <PageContext value={place}>
                <Outlet />
              </PageContext>
            </TabPrintContext>
          </div>
          {screen.aside && (record && hasAside ? <Aside {...{ screen, record, params }} /> : <AsidePlace />)}
        </div>
        <PrintFooter />
      </article>
    </MayChangeContext>
  )
}

/** True if the state of a record, such as open or closed, implies its status: it is active. */
function isImplied({ state, status }: Values): boolean {
  return isSet(state) && status === STATUS.active
}

/** Placeholder that reserves the space of the aside. */
function AsidePlace() {
  return (
    <div className="detail-aside no-print">
      <div className="aside-card" />
    </div>
  )
}

/** The loading state of a record's page: its known parts and a skeleton. */
function RecordSkeleton({ screen, params }: { screen: DetailScreen; params: Values }) {
  const contract = useContract()
  const facts = useMemo(() => columnsOf(contract, screen.read, screen.facts ?? []), [contract, screen])
  return (
    <div className="detail">
      <div className="detail-head">
        <span className={`heading ${Classes.SKELETON} skeleton-heading`} />
      </div>
      <Facts facts={facts} record={undefined} />
      {/* Inert, because the first tab opens once the record has loaded, and would override one clicked before. */}
      <div inert>
        <Tabs label="Parts of this record" screen={screen} record={undefined} params={params} />
      </div>
      <Skeleton lines={8} />
    </div>
  )
}

/** Makes the call of an opened record once per id; renders nothing. */
function Opened({ opened, record }: { opened: NonNullable<DetailScreen['opened']>; record: Values }) {
  const { mutate } = useSend(opened.call)
  const id = holds(opened.when, { record }) ? valueAt(opened.id, { record }) : undefined
  const body = opened.values
  useEffect(() => {
    if (isSet(id)) mutate({ params: { id }, body, showsLoss: true })
  }, [mutate, id, body])
  return null
}

/** A record's most important values in a line, each with its label; placeholders while it is loading. */
function Facts({ facts, record }: { facts: RenderedColumn[]; record: Values | undefined }) {
  const visible = facts.filter(({ field, optional }) => !optional || isSet(record?.[field]))
  if (visible.length === 0) return null
  return (
    <dl className="detail-facts">
      {visible.map((fact) => (
        <div key={fact.field}>
          <dt>{fact.title}</dt>
          <dd>{record ? <Fact {...{ fact, record }} /> : '\u00a0'}</dd>
        </div>
      ))}
    </dl>
  )
}

function Fact({ fact, record }: { fact: RenderedColumn; record: Values }) {
  const hasText =
    isSet(record[fact.field]) || deathOf(fact.property, record) || isCounted(fact, record) || fact.blank
  return hasText ? <Value column={fact} row={record} /> : '–'
}

/** True for a list that is shown as a count; an empty one is 0, not unknown. */
function isCounted({ as, field }: RenderedColumn, record: Record<string, unknown>): boolean {
  return as === 'number' && Array.isArray(record[field])
}

interface TabsProps {
  label: string
  screen: DetailScreen
  record: Values | undefined
  params: Values
}

/** Links to the tabs of a record that the user's roles allow; they are pages of their own, so no ARIA tabs. */
function Tabs({ label, screen, record, params }: TabsProps) {
  const { roles, screens } = useContract()
  const { groups } = useUser()
  const { tabs, counts = {} } = screen
  return (
    <nav className="detail-tabs" aria-label={label}>
      {tabs
        .filter((tab) => allows(roles, screens[tab].roles, groups))
        .map((tab) => (
          <NavLink key={tab} to={fillPath(screens[tab].route, params)}>
            {screens[tab].title}
            {record && counts[tab] && (
              <>
                {' '}
                <span className="detail-count">{String(record[counts[tab]])}</span>
              </>
            )}
          </NavLink>
        ))}
    </nav>
  )
}

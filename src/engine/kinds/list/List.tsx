import { Button, NonIdealState } from '@blueprintjs/core'
import { useCallback, useContext, useEffect, useMemo, useRef, useState } from 'react'
import { useParams } from 'react-router-dom'
import type { Counted, ListScreen, Sum } from '../../../contract/generated.ts'
import { isSet } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { PrintContext, useTabPrint } from '../../actions/print.ts'
import { type CellName, cells } from '../../cells/cells.ts'
import { columnsOf } from '../../cells/columns.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { formatDate, formatTime } from '../../core/dates.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { Missing } from '../../core/Missing.tsx'
import { PageContext, useDocumentTitle } from '../../core/pageContext.ts'
import { type ListReply, type Row, resultsText } from '../../core/results.ts'
import { ScreensBelow } from '../../core/ScreensBelow.tsx'
import { figureHeight } from '../figure/figureHeight.ts'
import { Body } from './Body.tsx'
import { Chips, filtersOfChip } from './Chips.tsx'
import { ExportButton } from './ExportButton.tsx'
import { cleared, Filters, FilterTags } from './Filters.tsx'
import { ListHeader } from './ListHeader.tsx'
import { Pages } from './Pages.tsx'
import { hasColumnChoice } from './state/columnChoice.ts'
import { fillFilters, filtersOf } from './state/filters.ts'
import { listQuery, pageQuery } from './state/listState.ts'
import { useListState } from './state/useListState.ts'
import { useColumns } from './useColumns.ts'
import { useListRows, withExtraColumns } from './useListRows.ts'
import { usePrintAll } from './usePrintAll.ts'
import { useRowShortcuts } from './useRowShortcuts.ts'
import { uniqueName, useSelection } from './useSelection.ts'
import { ViewsButton } from './ViewsButton.tsx'

const Figure = loadable(() => withStyle('figure', import('../figure/Figure.tsx')))
const SelectionBar = loadable(
  () => withStyle('selection', import('./SelectionBar.tsx')),
  <div className="list-selection" />,
)
const Candidates = loadable(
  () => withStyle('candidates', import('./Candidates.tsx')),
  <div className="candidates" />,
)
const ViewTag = loadable(() => withStyle('views', import('../views/ViewTag.tsx')))
// Lazy: few lists can be reordered or import a spreadsheet.
const ImportAndOrder = loadable(() => import('./ImportAndOrder.tsx'))
const Reorder = loadable(() => withStyle('reorder', import('./Reorder.tsx')), <Busy lines={10} />)

export interface ListProps {
  screen: ListScreen
  name: string
  /** Query parameters that override those from the URL. */
  fixed?: Record<string, string | undefined>
  /** Opens the filters at first, because they define what is counted. */
  isFilterOpen?: boolean
}

/** A list screen: filters, a table or grid of rows, and pagination; its state is in the URL. */
export default function List({ screen, name, fixed, isFilterOpen = false }: ListProps) {
  const contract = useContract()
  const params = { ...screen.fixedParams, ...useParams() }
  const named = useMemo(() => columnsOf(contract, screen.source, screen.columns), [contract, screen])
  const filters = useMemo(() => filtersOf(contract, screen), [contract, screen])
  const listState = useListState(screen, named, filters)
  const { state, pageLink, goTo, resize, sortBy, filterBy } = listState
  // A story has the order of its call.
  const filterQuery = {
    ...listQuery(state, filters, screen.layout === 'story' ? undefined : screen.group),
    ...fixed,
  }
  const isPaged = screen.pages !== false && screen.rowsKey === undefined
  const query = { ...(isPaged && pageQuery(state)), ...filterQuery }
  const isSearch = contract.endpoints[screen.source].filters !== undefined
  const isFiltered = Object.keys(state.filters).length > 0
  const isIdle = isSearch && !isFiltered
  const read = useListRows(screen, { params, query }, isIdle)
  const { properties } = entityOf(contract, screen.source)
  const applied = { ...read.data?.period, ...state.filters }
  const all = fillFilters(withExtraColumns(named, read.fields), properties, applied, filters)
  // Of two lists on one page, the URL has the state of the first.
  const isSaved = !useContext(PageContext).below && 'savedViews.list' in contract.endpoints
  const { columns, choose } = useColumns(name, all, listState, isSaved, hasColumnChoice(screen))
  const ticked = useSelection(JSON.stringify([params, state.filters]))
  const selection = screen.selection && ticked
  const [open, setOpen] = useState(isSearch || isFilterOpen)
  const [ordering, setOrdering] = useState(false)
  const list = useRef<HTMLElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const toFilters = useCallback(() => {
    setOpen(true)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('input, select')?.focus())
  }, [])
  useRowShortcuts(list, filters.length > 0 ? toFilters : undefined)

  const hasFigure = screen.figure !== undefined
  useEffect(() => {
    // Load the code in parallel with the rows; a failure is reported when it is rendered.
    if (hasFigure) Figure.preload().catch(() => undefined)
  }, [hasFigure])
  const printAll = usePrintAll(screen.source, { params, query: filterQuery }, isPaged)
  const { isPlaceholderData } = read
  useTabPrint(printAll.print)
  const data = printAll.all ?? read.data
  const last = read.data?.pagination.num_pages ?? 1
  const isPastLastPage = data !== undefined && !isPlaceholderData && data.data.length === 0 && state.page > 1
  useEffect(() => {
    // The last row of the last page was removed, or the page in the URL does not exist.
    if (isPastLastPage) goTo(Math.max(1, Math.min(last, state.page - 1)))
  }, [isPastLastPage, last, state.page, goTo])

  const parent = useRead<Row>(screen.read, { params })
  const known = { ...params, ...parent.data }
  const title = fillTemplate(screen.title, known)
  useDocumentTitle(parent.data ? title : undefined)
  useRecordBreadcrumbs(screen, screen.read ? parent.data && known : known, title)
  if (parent.error) {
    const { title: what } = entityOf(contract, screen.read!)
    return <Missing what={what} error={parent.error} onRetry={() => void parent.refetch()} />
  }
  if (ordering) {
    const end = () => setOrdering(false)
    return <Reorder {...{ screen, title, columns, params }} onEnd={end} />
  }
  // Each tag beside a value is a column of its own in a file.
  const fields = [
    ...new Set(columns.flatMap(({ field, tags = [] }) => [field, ...tags.map((tag) => tag.field)])),
  ].join()
  const nameOf = (row: Row) => uniqueName(row, columns[0].field)
  const ofChip = screen.chips ? filtersOfChip(screen.chips, state.filters) : []
  return (
    <>
      <section ref={list} className="list">
        <ListHeader
          title={title}
          about={screen.about}
          count={screen.counted && data && countWords(screen.counted, data)}
        >
          {filters.length > 0 && (
            <Button
              icon="filter"
              text="Filters"
              aria-expanded={open}
              active={open}
              onClick={() => setOpen(!open)}
            />
          )}
          {(isSaved || hasColumnChoice(screen)) && (
            <ViewsButton {...{ screen, name, filters, listState, all, columns, isSaved }} onChoose={choose} />
          )}
          {screen.export !== false && !isIdle && (
            <ExportButton
              call={screen.source}
              callOptions={{ params, query: { ...filterQuery, columns: fields } }}
            />
          )}
          {(screen.import || screen.reorder) && (
            <ImportAndOrder screen={screen} title={title} params={params} onOrder={() => setOrdering(true)} />
          )}
          <PrintContext value={printAll.print}>
            <Actions actions={screen.toolbar} record={parent.data} params={params} />
          </PrintContext>
        </ListHeader>
        {open && filters.length > 0 && (
          <Filters
            ref={form}
            filters={filters}
            applied={state.filters}
            submitText={isSearch ? 'Search' : 'Apply filters'}
            onApply={filterBy}
          />
        )}
        {state.view !== undefined && isSaved && <ViewTag {...{ screen, name, listState, columns }} />}
        {screen.chips && (
          <Chips
            chips={screen.chips}
            applied={state.filters}
            counts={data?.chips}
            counted={screen.counted}
            onApply={filterBy}
          />
        )}
        <FilterTags
          filters={filters.filter(({ name }) => !ofChip.includes(name))}
          applied={state.filters}
          relative={state.relative}
          onApply={filterBy}
        />
        <p className={data?.data.length === 0 ? 'visually-hidden' : 'list-results'} role="status">
          {data && resultsText(data.pagination, data.data.length, screen.counted)}
          {data?.period && `, ${formatDate(data.period.start)} to ${formatDate(data.period.end)}`}
          {data?.as_at && `, as at ${formatTime(data.as_at)}`}
          {data && screen.sum && <ReplySum sum={screen.sum} reply={data} />}
        </p>
        {printAll.all && printAll.all.pagination.count > printAll.all.data.length && (
          <p className="print-only">
            Only the first {printAll.all.data.length} are printed; filter the list to print the others.
          </p>
        )}
        {screen.figure && !isIdle && !read.error && data?.data.length !== 0 && (
          <div className="list-figure" style={{ minHeight: figureHeight(screen.figure, data?.data) }}>
            {data && <Figure figure={screen.figure} source={screen.source} columns={all} reply={data} />}
          </div>
        )}
        {isIdle && <NonIdealState icon="search" iconSize={32} description="Fill in at least one field" />}
        {selection && !data && !read.error && !isIdle && <div className="list-selection" />}
        {selection && data && data.data.length > 0 && (
          <SelectionBar {...{ screen, selection, params, nameOf }}>
            {screen.export !== false && (
              <ExportButton
                text="Export selected"
                call={screen.source}
                callOptions={{
                  params,
                  query: { ...filterQuery, columns: fields, ids: selection.rows.map(({ id }) => id).join() },
                }}
              />
            )}
          </SelectionBar>
        )}
        {!isIdle && (
          <div className={screen.candidates && 'list-with-candidates'}>
            {screen.candidates && selection && (
              <Candidates
                {...{ selection, params, nameOf }}
                candidates={screen.candidates}
                selected={screen.selected}
              />
            )}
            <Body
              {...{ screen, title, columns, params }}
              read={printAll.all ? { ...read, data } : read}
              selection={selection}
              sort={state.sort}
              onSort={sortBy}
              onClear={isFiltered ? () => filterBy(cleared(filters)) : undefined}
            />
          </div>
        )}
        {isPaged && read.data && read.data.data.length > 0 && (
          <Pages
            page={read.data.pagination.p}
            last={last}
            size={state.size}
            linkTo={pageLink}
            onSize={resize}
          />
        )}
      </section>
      <ScreensBelow screens={screen.below} title={title} />
    </>
  )
}

/** The number beside the heading, with what it counts: '23 issues'. */
function countWords({ key, one, many }: Counted, reply: ListReply): string {
  const n = Number((reply as unknown as Row)[key] ?? 0)
  return `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`
}

/** A sum after the number of rows, such as ', time spent on all of them: 12:30'. */
function ReplySum({ sum: { key, title, as }, reply }: { sum: Sum; reply: ListReply }) {
  const value = (reply as unknown as Row)[key]
  const Cell = cells[as as CellName]
  return isSet(value) ? (
    <>
      , {title}: <Cell value={value} property={{ title }} row={{}} />
    </>
  ) : null
}

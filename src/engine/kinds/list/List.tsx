import { useCallback, useEffect, useRef, useState } from 'react'
import type { Counted } from '../../../contract/generated.ts'
import { Busy } from '../../core/Busy.tsx'
import { useRecordBreadcrumbs } from '../../core/breadcrumbs.ts'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { Missing } from '../../core/Missing.tsx'
import { useDocumentTitle } from '../../core/pageContext.ts'
import type { ListReply, Row } from '../../core/results.ts'
import { ScreensBelow } from '../../core/ScreensBelow.tsx'
import { Chips, filtersOfChip } from './Chips.tsx'
import { Filters, FilterTags } from './Filters.tsx'
import { ListHeader } from './ListHeader.tsx'
import { Figure, ListResults } from './ListResults.tsx'
import { ListRows } from './ListRows.tsx'
import { ListTools } from './ListTools.tsx'
import { type ListProps, useList } from './useList.ts'
import { useRowShortcuts } from './useRowShortcuts.ts'

const ViewTag = loadable(() => withStyle('views', import('../views/ViewTag.tsx')))
const Needs = loadable(() => withStyle('needs', import('./Needs.tsx')))
// Lazy: few lists can be reordered.
const Reorder = loadable(() => withStyle('reorder', import('./Reorder.tsx')), <Busy lines={10} />)

/** A list screen: filters, a table or grid of rows, and pagination; its state is in the URL. */
export default function List(props: ListProps) {
  const { screen, name } = props
  const list = useList(props)
  const { params, filters, listState, isSearch, data, columns } = list
  const { state, filterBy } = listState
  const { parent, title } = useParentRecord(list)
  const [isOrdering, setOrdering] = useState(false)
  const section = useRef<HTMLElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [isOpen, setOpen] = useState(isSearch || props.isFilterOpen === true)
  const toFilters = useCallback(() => {
    setOpen(true)
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('input, select')?.focus())
  }, [])
  useRowShortcuts(section, filters.length > 0 ? toFilters : undefined)
  const hasFigure = screen.figure !== undefined
  useEffect(() => {
    // Load the code in parallel with the rows; a failure is reported when it is rendered.
    if (hasFigure) Figure.preload().catch(() => undefined)
  }, [hasFigure])

  if (parent.error) return <ParentMissing call={screen.read!} parent={parent} />
  if (isOrdering) return <Reorder {...{ screen, title, columns, params }} onEnd={() => setOrdering(false)} />
  const ofChip = screen.chips ? filtersOfChip(screen.chips, state.filters) : []
  return (
    <>
      <section ref={section} className="list">
        <ListHeader
          title={title}
          about={screen.about}
          count={screen.counted && data && countWords(screen.counted, data)}
        >
          <ListTools
            {...{ list, title, isOpen }}
            record={parent.data}
            onToggle={() => setOpen(!isOpen)}
            onOrder={() => setOrdering(true)}
          />
        </ListHeader>
        {isOpen && filters.length > 0 && (
          <Filters
            ref={form}
            filters={filters}
            applied={state.filters}
            submitText={isSearch ? 'Search' : 'Apply filters'}
            onApply={filterBy}
          />
        )}
        {state.view !== undefined && list.isSaved && <ViewTag {...{ screen, name, listState, columns }} />}
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
        {screen.needs && <Needs needs={screen.needs} />}
        <ListResults list={list} />
        <ListRows list={list} title={title} />
      </section>
      <ScreensBelow screens={screen.below} title={title} />
    </>
  )
}

/** The record that the list belongs to, and the title of the page with its values. */
function useParentRecord({ screen, params }: Pick<ReturnType<typeof useList>, 'screen' | 'params'>) {
  const parent = useRead<Row>(screen.read, { params })
  const known = { ...params, ...parent.data }
  const title = fillTemplate(screen.title, known)
  useDocumentTitle(parent.data ? title : undefined)
  useRecordBreadcrumbs(screen, screen.read ? parent.data && known : known, title)
  return { parent, title }
}

function ParentMissing({
  call,
  parent: { error, refetch },
}: {
  call: string
  parent: ReturnType<typeof useParentRecord>['parent']
}) {
  const { title } = entityOf(useContract(), call)
  return <Missing what={title} error={error!} onRetry={() => void refetch()} />
}

/** The number beside the heading, with what it counts: '23 issues'. */
function countWords({ key, one, many }: Counted, reply: ListReply): string {
  const n = Number((reply as unknown as Row)[key] ?? 0)
  return `${n.toLocaleString('en-GB')} ${n === 1 ? one : many}`
}

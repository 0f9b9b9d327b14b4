import { NonIdealState } from '@blueprintjs/core'
import type { Candidates as CandidatesOf } from '../../../contract/generated.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { Row } from '../../core/results.ts'
import { Body } from './Body.tsx'
import { ExportButton } from './ExportButton.tsx'
import { cleared } from './Filters.tsx'
import { Pages } from './Pages.tsx'
import type { ListData } from './useList.ts'
import { uniqueName } from './useSelection.ts'

const SelectionBar = loadable(
  () => withStyle('selection', import('./SelectionBar.tsx')),
  <div className="list-selection" />,
)
const Candidates = loadable(() => import('./Candidates.tsx'), <div className="candidates" />)

/** The rows of a list with the actions on those that are selected, and its pages. */
export function ListRows({ list, title }: { list: ListData; title: string }) {
  const { screen, params, filters, listState, isFiltered, isIdle, read, data, printAll, columns, selection } =
    list
  const { state, pageLink, resize, sortBy, filterBy } = listState
  const nameOf = (row: Row) => uniqueName(row, columns[0].field)
  if (isIdle) return <NonIdealState icon="search" iconSize={32} description="Fill in at least one field" />
  return (
    <>
      {selection && !data && !read.error && <div className="list-selection" />}
      {selection && data && data.data.length > 0 && (
        <SelectionBar {...{ screen, selection, params, nameOf }}>
          {screen.export !== false && (
            <ExportButton
              text="Export selected"
              call={screen.source}
              callOptions={{
                params,
                query: { ...list.exportQuery, ids: selection.rows.map(({ id }) => id).join() },
              }}
            />
          )}
        </SelectionBar>
      )}
      <div className={screen.candidates && 'list-with-candidates'}>
        {screen.candidates && selection && selection.rows.length === 0 && (
          <NoCandidates {...screen.candidates} />
        )}
        {screen.candidates && selection && selection.rows.length > 0 && (
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
      {list.isPaged && read.data && read.data.data.length > 0 && (
        <Pages
          page={read.data.pagination.p}
          last={list.last}
          size={state.size}
          linkTo={pageLink}
          onSize={resize}
        />
      )}
    </>
  )
}

/** The place of the candidates before a row is selected; only then is their code fetched. */
function NoCandidates({ title, empty }: Pick<CandidatesOf, 'title' | 'empty'>) {
  return (
    <aside className="candidates" aria-label={title}>
      <h2>{title}</h2>
      <p className="candidates-empty">{empty}</p>
    </aside>
  )
}

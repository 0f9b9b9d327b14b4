import type { Sum } from '../../../contract/generated.ts'
import { isSet } from '../../../contract/when.ts'
import { type CellName, cells } from '../../cells/cells.ts'
import { formatDate, formatTime } from '../../core/dates.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { type ListReply, type Row, resultsText } from '../../core/results.ts'
import { figureHeight } from '../figure/figureHeight.ts'
import type { ListData } from './useList.ts'

export const Figure = loadable(() => withStyle('figure', import('../figure/Figure.tsx')))

/** What a list says about its rows as a whole: how many there are, their period and sum, and their figure. */
export function ListResults({ list }: { list: ListData }) {
  const { screen, data, printAll, read, isIdle, all } = list
  const printed = printAll.all
  return (
    <>
      <p className={data?.data.length === 0 ? 'visually-hidden' : 'list-results'} role="status">
        {data && resultsText(data.pagination, data.data.length, screen.counted)}
        {data?.period && `, ${formatDate(data.period.start)} to ${formatDate(data.period.end)}`}
        {data?.as_at && `, as at ${formatTime(data.as_at)}`}
        {data && screen.sum && <ReplySum sum={screen.sum} reply={data} />}
      </p>
      {printed && printed.pagination.count > printed.data.length && (
        <p className="print-only">
          Only the first {printed.data.length} are printed; filter the list to print the others.
        </p>
      )}
      {screen.figure && !isIdle && !read.error && data?.data.length !== 0 && (
        <div className="list-figure" style={{ minHeight: figureHeight(screen.figure, data?.data) }}>
          {data && <Figure figure={screen.figure} source={screen.source} columns={all} reply={data} />}
        </div>
      )}
    </>
  )
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

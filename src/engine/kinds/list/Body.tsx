import { Button, NonIdealState } from '@blueprintjs/core'
import { Busy, Skeleton } from '../../core/Busy.tsx'
import type { CallError } from '../../core/calls.ts'
import { ErrorCard } from '../../core/ErrorCard.tsx'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import type { ListReply } from '../../core/results.ts'
import { useDelayed } from '../../core/useDelayed.ts'
import { type SheetProps, Table } from './Table.tsx'
import { TableSkeleton } from './TableSkeleton.tsx'

const Grid = loadable(() => withStyle('grid', import('./Grid.tsx')), <Busy lines={8} />)
const Timeline = loadable(() => withStyle('timeline', import('./Timeline.tsx')), <Busy lines={8} />)

/** Layouts other than a table. */
const LAYOUTS = { grid: Grid, timeline: Timeline }

interface Read {
  data?: ListReply
  error: CallError | null
  isFetching: boolean
  isPlaceholderData: boolean
  refetch: () => unknown
}

/** The rows of a list, or its loading, error or empty state. */
export function Body({
  read,
  onClear,
  ...sheet
}: Omit<SheetProps, 'rows' | 'totals' | 'groups'> & {
  read: Read
  onClear?: () => void
}) {
  const { data, error, isPlaceholderData } = read
  const late = useDelayed(!data && !error)
  const stale = useDelayed(isPlaceholderData)
  const Layout = sheet.screen.layout && LAYOUTS[sheet.screen.layout]
  if (late) return Layout ? <Skeleton lines={8} /> : <TableSkeleton {...sheet} />
  if (!data) return error ? <ErrorCard error={error} onRetry={() => void read.refetch()} /> : null
  if (data.data.length === 0 && !isPlaceholderData)
    return <EmptyList empty={sheet.screen.empty} onClear={onClear} />
  return (
    <div className={stale ? 'list-body list-stale' : 'list-body'} aria-busy={isPlaceholderData}>
      {Layout ? (
        <Layout {...sheet} rows={data.data} />
      ) : (
        <Table {...sheet} rows={data.data} totals={data.totals} groups={data.groups} />
      )}
    </div>
  )
}

/** The empty state, with a button to clear the filters if there are any. */
function EmptyList({ empty, onClear }: { empty?: string; onClear?: () => void }) {
  if (onClear) {
    return (
      <NonIdealState
        icon="filter"
        iconSize={32}
        description="Nothing matches these filters"
        action={<Button text="Clear filters" onClick={onClear} />}
      />
    )
  }
  return <NonIdealState icon="inbox" iconSize={32} description={empty ?? 'There is nothing here yet'} />
}

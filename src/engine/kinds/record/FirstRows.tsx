import { Link } from 'react-router-dom'
import { fillPath } from '../../../contract/call.ts'
import { isSet } from '../../../contract/when.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { Actions } from '../../actions/Actions.tsx'
import { useOfferedActions } from '../../actions/useOfferedActions.ts'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { useRead } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import type { ListReply, Row } from '../../core/results.ts'
import { TickedValue } from '../list/Tick.tsx'
import { CardFrame, type CardProps, notRead } from './CardFrame.tsx'

/** A card of the first rows of a list, each in a few lines; without rows the button of `empty`, or no card. */
export function FirstRows({ record, params, card }: CardProps) {
  const contract = useContract()
  const query = { ...card.query, page_size: card.rows ?? 3 }
  const { data, error, refetch } = useRead<ListReply>(card.list, { params, query })
  const [empty] = useOfferedActions(card.empty ? [card.empty] : [], record)
  const columns = columnsOf(contract, card.list!, card.columns ?? [])
  if (!data && error)
    return (
      <CardFrame {...{ card, record, params }}>
        <ReadFailure title={notRead(card)} error={error} onRetry={() => void refetch()} />
      </CardFrame>
    )
  if (!data || (data.data.length === 0 && !empty)) return null
  const listed = card.screen === undefined ? undefined : contract.screens[card.screen]
  const struck = listed?.kind === 'list' ? listed.struck : undefined
  const isStruck = (row: Row) => struck !== undefined && isSet(row[struck])
  const others = data.pagination.count - data.data.length
  return (
    <CardFrame {...{ card, record, params }}>
      {data.data.length === 0 && <ActionButton small action={empty} {...{ record, params }} />}
      <ul>
        {data.data.map((row) => (
          <li key={String(row.id)} className={isStruck(row) ? 'struck' : undefined}>
            <Lines {...{ row, columns, card, params }} />
          </li>
        ))}
      </ul>
      {card.screen && card.rows && others > 0 && (
        <Link to={fillPath(contract.screens[card.screen].route, params)}>{others} more</Link>
      )}
    </CardFrame>
  )
}

interface LinesProps extends Pick<CardProps, 'card' | 'params'> {
  row: Row
  columns: RenderedColumn[]
}

function Lines({ row, columns: [first, ...columns], card, params }: LinesProps) {
  const last = first.tick ? undefined : columns.at(-1)
  const parts = columns.filter((column) => column !== last && isSet(row[column.field]))
  const about = String(row[first.field] ?? '')
  // Below a task that can be completed they have a line of their own, otherwise they follow the first value.
  const Parts = first.tick ? 'div' : 'span'
  return (
    <>
      {first.tick ? (
        <TickedValue column={first} {...{ row, params, about }} />
      ) : (
        <strong>
          <Value column={first} row={row} />
        </strong>
      )}
      <Parts className={first.tick && 'aside-below-tick'}>
        {parts.map((column) => (
          <span className="aside-part" key={column.field}>
            <Value column={column} row={row} />
          </span>
        ))}
        {card.rowActions && <Actions small actions={card.rowActions} record={row} {...{ params, about }} />}
      </Parts>
      {last && isSet(row[last.field]) && (
        <p className="aside-text">
          <Value column={last} row={row} />
        </p>
      )}
    </>
  )
}

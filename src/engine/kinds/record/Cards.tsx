import { useId } from 'react'
import { Link } from 'react-router-dom'
import { fillPath } from '../../../contract/call.ts'
import type { CardsSummary, Cards as Described } from '../../../contract/generated.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { columnsOf, type RenderedColumn } from '../../cells/columns.ts'
import { tagClass } from '../../cells/tagClass.ts'
import { Value } from '../../cells/Value.tsx'
import { useContract } from '../../core/contract.ts'
import { ReadFailure } from '../../core/ReadFailure.tsx'
import type { Row } from '../../core/results.ts'
import { useCards, useCardsSummary } from './readsAbove.ts'

interface Props {
  cards: Described
  params: Values
}

/** The first rows of a list as cards in a row; nothing if there are none, but an error if they cannot be loaded. */
export default function Cards({ cards, params }: Props) {
  const contract = useContract()
  const { data, error, refetch } = useCards(cards, params)
  if (!data && error)
    return (
      <ReadFailure title={`${cards.title} could not be read.`} error={error} onRetry={() => void refetch()} />
    )
  if (!data || data.data.length === 0) return null
  const columns = columnsOf(contract, cards.list, cards.columns)
  const [tag] = columnsOf(contract, cards.list, [cards.tag])
  const all = cards.screen && contract.screens[cards.screen]
  return (
    <section className="detail-cards" aria-label={cards.title}>
      <ul>
        {data.data.map((row) => (
          <Card key={String(row.id)} {...{ row, columns, tag, cards, params }} />
        ))}
        {cards.summary && <SummaryCard {...{ cards, params }} summary={cards.summary} />}
      </ul>
      {all && <Link to={fillPath(all.route, params)}>All {cards.title.toLowerCase()}</Link>}
    </section>
  )
}

/**
 * A card that summarises the rows, such as how many deadlines were met; nothing if there is no summary yet or it cannot
 * be read.
 */
function SummaryCard({ cards, summary, params }: Props & { summary: CardsSummary }) {
  const id = useId()
  const { data } = useCardsSummary(cards, true, params)
  if (!data || !isSet(data[summary.tag])) return null
  const isGood = summary.good !== undefined && data[summary.good] === true
  return (
    <li className="detail-card" aria-labelledby={id}>
      <div className="detail-card-head">
        <strong id={id}>{summary.title}</strong>
        <span className={tagClass(isGood ? 'green' : 'grey')}>{String(data[summary.tag])}</span>
      </div>
      <div className="detail-card-line">{String(data[summary.line] ?? '')}</div>
    </li>
  )
}

interface CardProps extends Props {
  row: Row
  columns: RenderedColumn[]
  tag: RenderedColumn
}

function Card({ row, columns: [heading, ...lines], tag, cards, params }: CardProps) {
  const id = useId()
  return (
    <li className="detail-card" aria-labelledby={id}>
      <div className="detail-card-head">
        <strong id={id}>
          <Value column={heading} row={row} />
        </strong>
        <Value column={tag} row={row} />
      </div>
      {lines.map(
        (line) =>
          isSet(row[line.field]) && (
            <div key={line.field} className="detail-card-line">
              <Value column={line} row={row} />
            </div>
          ),
      )}
      {cards.actions && (
        <Actions
          small
          actions={cards.actions}
          record={row}
          params={params}
          about={String(row[heading.field])}
        />
      )}
    </li>
  )
}

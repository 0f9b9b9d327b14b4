import { type ReactNode, useId } from 'react'
import { Link } from 'react-router-dom'
import { fillPath } from '../../../contract/call.ts'
import type { AsideCard, DetailScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import { useContract } from '../../core/contract.ts'

export interface AsideProps {
  screen: DetailScreen
  record: Values
  params: Values
}
export type CardProps = AsideProps & { card: AsideCard }

/** A card beside a record: its heading, its buttons, and a link to its complete list. */
export function CardFrame({
  card,
  record,
  params,
  children,
}: Omit<CardProps, 'screen'> & { children: ReactNode }) {
  const { screens } = useContract()
  const heading = useId()
  const more = card.screen && screens[card.screen]
  return (
    <section className="aside-card" aria-labelledby={heading}>
      <div className="aside-head">
        <h2 id={heading}>{card.title}</h2>
        <Actions small actions={card.actions} {...{ record, params }} />
        {more && <Link to={fillPath(more.route, params)}>{more.title}</Link>}
      </div>
      {children}
    </section>
  )
}

/** Text of a card whose data could not be read. */
export function notRead({ title }: CardProps['card']): string {
  return `${title} could not be read.`
}

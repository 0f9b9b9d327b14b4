import { Button } from '@blueprintjs/core'
import type { Ref } from 'react'
import { Link, type LinkProps } from 'react-router-dom'
import type { Existing } from '../../../contract/generated.ts'
import { capitalised } from '../../../contract/quoted.ts'
import { isSet, type Values } from '../../../contract/when.ts'
import { AgoCell } from '../../cells/AgoCell.tsx'
import { MarksCell } from '../../cells/MarksCell.tsx'
import { useContract } from '../../core/contract.ts'
import { entityOf } from '../../core/entityOf.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { linkTo } from '../../core/link.ts'
import { describeFound, detailsOf } from './describeFound.ts'

interface Props {
  existing: Existing
  item: Values
  /** Text of the button that takes the record. */
  take: string
  onTake: () => void
  /** The link to the page of the record, which a key of the box clicks. */
  page: Ref<HTMLAnchorElement>
}

/** Most items of a record that are listed. */
const MAX_ITEMS = 5

/** A found record beside the list, to be sure that it is the right one, with what it already has. */
export function FoundRecord({ existing, item, take, onTake, page }: Props) {
  const contract = useContract()
  const entity = entityOf(contract, existing.search)
  const { label, has, contact, marks } = existing
  const { name } = describeFound(entity, existing, item)
  const items = ((has && item[has.field]) ?? []) as Values[]
  const address = entityOf(contract, existing.read).page
  const property = { title: '' }
  return (
    <section
      className="found-record"
      aria-label={`${capitalised(label)} ${item.id}`}
      // The box keeps the focus, or its list would close before the click.
      onMouseDown={(event) => event.preventDefault()}
    >
      <h2>{name}</h2>
      <p className="existing-details">
        {capitalised(label)} {String(item.id)}
      </p>
      {marks && <MarksCell value={item[marks]} property={property} row={item} />}
      <dl>
        {detailsOf(entity, existing, item).map(({ title, text }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        {contact && isSet(item[contact]) && (
          <div>
            <dt>{entity.properties[contact].title}</dt>
            <dd>
              <AgoCell value={item[contact]} property={property} row={item} />
            </dd>
          </div>
        )}
      </dl>
      {has && items.length > 0 && (
        <>
          <h3>{capitalised(`${has.label}s`)}</h3>
          <ul>
            {items.slice(0, MAX_ITEMS).map((one) => (
              <li key={String(one.id)}>
                <Elsewhere to={linkTo(has.link, one)}>{fillTemplate(has.name, one)}</Elsewhere>
              </li>
            ))}
          </ul>
        </>
      )}
      <Button intent="primary" fill text={take} endIcon={<kbd aria-hidden>↵</kbd>} onClick={onTake} />
      {has?.add && items.length > 0 && (
        <Link className="bp6-button bp6-fill" to={linkTo(has.add.link, items[0]) ?? '/'}>
          {fillTemplate(has.add.label, items[0])}
        </Link>
      )}
      {address && (
        <Elsewhere ref={page} to={linkTo(address, item)} aria-keyshortcuts="Shift+Enter">
          Open the record
        </Elsewhere>
      )}
    </section>
  )
}

interface ElsewhereProps extends Omit<LinkProps, 'to'> {
  to: string | undefined
  ref?: Ref<HTMLAnchorElement>
}

/** A link that opens in a new tab, so that what is begun here stays. */
function Elsewhere({ to = '/', children, ...rest }: ElsewhereProps) {
  return (
    <Link {...rest} to={to} target="_blank" rel="noreferrer">
      {children}
      <span className="visually-hidden"> (opens in a new tab)</span>
    </Link>
  )
}

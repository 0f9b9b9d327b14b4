import { useRef } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { ActionButton } from '../actions/ActionButton.tsx'
import { useAction } from '../actions/useAction.ts'
import { useOffered } from '../actions/useOffered.ts'
import type { RenderedColumn } from '../cells/columns.ts'
import { Value } from '../cells/Value.tsx'
import { focusNextRow } from '../page/nextRow.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import type { Row } from './results.ts'

interface Props {
  column: RenderedColumn
  row: Row
  params: Values
  /** What the row is called, to tell its controls from those of the next. */
  about: string
}

/** A value of a row or record behind the circle that ticks it off, or in its place the button for where there is none. */
export function TickedValue({ column, row, params, about }: Props) {
  const { tick, empty, field } = column
  const offered = useOffered(
    [tick, empty].filter((one) => one !== undefined),
    row,
  )
  if (row[field] !== null && row[field] !== undefined)
    return (
      <span className="list-ticked">
        {tick && offered.includes(tick) && <Tick action={tick} record={row} {...{ params, about }} />}
        <span>
          <Value column={column} row={row} />
        </span>
      </span>
    )
  if (!empty || !offered.includes(empty)) return null
  return (
    <span className="list-ticked list-unplanned">
      <span className="list-tick" aria-hidden />
      <ActionButton small action={empty} record={row} {...{ params, about }} />
    </span>
  )
}

/** The circle; the focus goes to the next row, as the one that is done may go elsewhere. */
function Tick({
  action,
  record,
  params,
  about,
}: {
  action: Action
  record: Row
  params: Values
  about: string
}) {
  const button = useRef<HTMLButtonElement>(null)
  const { act, busy } = useAction({ action, record, params, onDone: () => focusNextRow(button.current) })
  return (
    <button
      ref={button}
      type="button"
      className="list-tick"
      aria-label={`${action.label}: ${about}`}
      title={action.label}
      aria-busy={busy}
      data-key={action.key}
      onClick={() => void act().catch(notifyUnhandled)}
    />
  )
}

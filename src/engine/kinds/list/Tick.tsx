import { Icon } from '@blueprintjs/core'
import { useRef, useState } from 'react'
import type { Action } from '../../../contract/generated.ts'
import { holds, type Values } from '../../../contract/when.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import { useAction } from '../../actions/useAction.ts'
import { useOfferedActions } from '../../actions/useOfferedActions.ts'
import type { RenderedColumn } from '../../cells/columns.ts'
import { Value } from '../../cells/Value.tsx'
import { focusNextRow } from '../../core/nextRow.ts'
import { notifyUnhandled } from '../../core/notifyUnhandled.ts'
import type { Row } from '../../core/results.ts'

interface Props {
  column: RenderedColumn
  row: Row
  params: Values
  /** Name of the row, to distinguish its controls from those of other rows. */
  about: string
}

/**
 * A value of a row or record after the circle that ticks it off, if the user may, and a flag if its condition holds;
 * the button of `empty` if there is no value.
 */
export function TickedValue({ column, row, params, about }: Props) {
  const { tick, flag, empty, field } = column
  const offered = useOfferedActions(
    [tick, empty].filter((one) => one !== undefined),
    row,
  )
  if (row[field] !== null && row[field] !== undefined)
    return (
      <span className="list-ticked">
        {tick && offered.includes(tick) && <Tick action={tick} record={row} {...{ params, about }} />}
        {flag && holds(flag.when, { record: row }) && (
          <span className="list-deadline" role="img" aria-label={flag.label} title={flag.label}>
            <Icon icon="flag" aria-hidden />
          </span>
        )}
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

/** The circle. The focus moves to the next row, because the completed one may move elsewhere. */
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
  const [isHeld, setHeld] = useState(false)
  const { act, busy } = useAction({
    action,
    record,
    params,
    onDone: () => focusNextRow(button.current),
    scheduleRefresh: (refresh) => {
      setHeld(true)
      void untilTicksPause()
        .then(refresh)
        .finally(() => setHeld(false))
    },
  })
  return (
    <button
      ref={button}
      type="button"
      className="list-tick"
      aria-label={`${action.label}: ${about}`}
      title={action.label}
      aria-busy={busy}
      aria-disabled={isHeld}
      data-key={action.key}
      onClick={() => {
        if (!isHeld) void act().catch(notifyUnhandled)
      }}
    />
  )
}

/** How long in ms a ticked row stays in its place: a second click must not hit the row that would take it. */
const HOLD_MS = 1500
let heldUntil = 0

/** Waits until nothing has been ticked for a while, so that no row moves under the pointer meanwhile. */
async function untilTicksPause(): Promise<void> {
  heldUntil = performance.now() + HOLD_MS
  while (performance.now() < heldUntil) {
    const rest = heldUntil - performance.now()
    await new Promise((resolve) => setTimeout(resolve, rest))
  }
}

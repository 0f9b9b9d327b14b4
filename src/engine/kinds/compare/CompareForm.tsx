import { Button } from '@blueprintjs/core'
import { useId, useState } from 'react'
import { Link } from 'react-router-dom'
import { fillPath } from '../../../contract/call.ts'
import type { CompareScreen } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { Actions } from '../../actions/Actions.tsx'
import HoldDialog from '../../actions/HoldDialog.tsx'
import { useAction } from '../../actions/useAction.ts'
import { fillTemplate } from '../../core/fillTemplate.ts'
import { useSaveShortcut } from '../../core/useSaveShortcut.ts'
import { HEAD, ROW, ROWS, TABLE } from '../list/tableRoles.ts'
import { type ComparedRow, CompareRow, type Side } from './CompareRow.tsx'

interface Props {
  screen: CompareScreen
  record: Values
  params: Values
  onRefused: () => void
}

/** The rows with their choices, and the buttons. */
export function CompareForm({ screen, record, params, onRefused }: Props) {
  const rows = record[screen.rows] as ComparedRow[]
  const [choices, setChoices] = useState(() => new Map(rows.map(({ id, choice }) => [id, choice])))
  const [attempt, setAttempt] = useState(0)
  const status = useId()
  const { save, values, done, then } = screen
  const button = fillTemplate(screen.button, record)
  const action = { label: button, call: save, values, done, then }
  const { act, busy, holdToPass } = useAction({ action, record, params })
  const open = rows.filter(({ id }) => !choices.get(id))
  const submit = () => {
    if (open.length === 0) {
      // The HTTP client has shown the error; a record may have been changed meanwhile.
      act({ choices: Object.fromEntries(choices) }).catch(onRefused)
      return
    }
    setAttempt(attempt + 1)
    document.getElementsByName(open[0].id)[0]?.focus()
  }
  useSaveShortcut(submit)
  const choose = (id: string, side: Side) => setChoices(new Map(choices).set(id, side))
  const textValues = { ...params, ...record }
  return (
    <div>
      <table {...TABLE} className="compare-table">
        <caption className="visually-hidden">{fillTemplate(screen.title, textValues)}</caption>
        <thead {...ROWS}>
          <tr {...ROW}>
            <td>{screen.swap && <Link to={fillPath(screen.swap, textValues)}>Swap</Link>}</td>
            {([screen.mine, screen.theirs] as const).map(({ title, about }) => (
              <th {...HEAD} key={title} scope="col">
                {fillTemplate(title, textValues)}
                <small>{fillTemplate(about, textValues)}</small>
              </th>
            ))}
            <th {...HEAD} scope="col">
              <span className="visually-hidden">Both</span>
            </th>
          </tr>
        </thead>
        <tbody {...ROWS} onKeyDown={moveByKey}>
          {rows.map((row) => (
            <CompareRow
              key={row.id}
              row={row}
              chosen={choices.get(row.id) ?? null}
              isMissing={attempt > 0 && !choices.get(row.id)}
              onChoose={(side) => choose(row.id, side)}
            />
          ))}
        </tbody>
      </table>
      {screen.note && <p className="compare-note">{fillTemplate(screen.note, textValues)}</p>}
      <div className="compare-buttons">
        <Button
          intent="primary"
          text={button}
          loading={busy}
          aria-busy={busy}
          aria-describedby={status}
          onClick={submit}
        />
        <Actions actions={screen.actions} record={textValues} params={params} />
        <span id={status} role="status" className={open.length > 0 ? 'compare-open' : undefined}>
          {open.length > 0 ? `${open.length} still to choose` : ''}
        </span>
      </div>
      <p className="compare-keys">
        <kbd>↑</kbd> <kbd>↓</kbd> field <kbd>1</kbd> left <kbd>2</kbd> right <kbd>3</kbd> both
      </p>
      {holdToPass && <HoldDialog holdToPass={holdToPass} label={button} />}
    </div>
  )
}

const SIDES: Record<string, Side> = { 1: 'mine', 2: 'theirs', 3: 'both' }
const STEPS: Record<string, number> = { ArrowUp: -1, ArrowDown: 1 }

/** Up and down move to the field above or below; 1, 2 and 3 choose left, right or both. */
function moveByKey(event: React.KeyboardEvent<HTMLElement>): void {
  const row = (event.target as HTMLElement).closest('tr')
  const step = STEPS[event.key]
  if (step) {
    const next = step < 0 ? row?.previousElementSibling : row?.nextElementSibling
    event.preventDefault()
    next?.querySelector<HTMLInputElement>('input:checked, input')?.focus()
  }
  if (SIDES[event.key]) row?.querySelector<HTMLInputElement>(`input[value="${SIDES[event.key]}"]`)?.click()
}

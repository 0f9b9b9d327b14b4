import { Button } from '@blueprintjs/core'
import { type KeyboardEvent, type ReactElement, useState } from 'react'
import type { Automation } from '../../contract/generated.ts'
import type { EditorError } from '../state/editorErrors.ts'
import { NameDialog } from '../tests/NameDialog.tsx'
import type { AutomationEdits } from './useAutomationEdits.ts'
import type { Impact } from './useImpact.ts'
import { verbsOf } from './verbs.ts'

/** Most automations of a case type; schemas/meta/automations.json has the same limit. */
const MAX_AUTOMATIONS = 50
const STEPS: Record<string, -1 | 1> = { ArrowUp: -1, ArrowDown: 1 }

interface Props {
  automations: Automation[]
  /** Name of the selected one. */
  selected: string | undefined
  errors: EditorError[]
  edits: AutomationEdits
  /** The numbers of its records; undefined until they are counted. */
  impactOf: (one: Automation) => Impact | undefined
  onSelect: (name: string) => void
}

/** The automations of a case type, each with what it does; Alt with an arrow moves one. */
export function AutomationList(props: Props): ReactElement {
  const { automations, selected, errors, edits, impactOf, onSelect } = props
  const [isNaming, setNaming] = useState(false)
  const isFull = automations.length >= MAX_AUTOMATIONS
  const press = (event: KeyboardEvent, one: Automation) => {
    const by = STEPS[event.key]
    if (!by || !event.altKey) return
    event.preventDefault()
    edits.move(one, by)
  }
  return (
    <>
      <div className="automation-heading">
        <h2 id="constructor-automations">
          Automations <span className="constructor-facts">{automations.length}</span>
        </h2>
        <Button
          size="small"
          variant="minimal"
          icon="plus"
          text="Add"
          aria-label="Add an automation"
          aria-haspopup="dialog"
          disabled={isFull}
          onClick={() => setNaming(true)}
        />
      </div>
      {automations.length === 0 && (
        <p className="constructor-hint">
          An automation says what follows from the facts of a record: an alert, a notice, a step or a hold.
        </p>
      )}
      {isFull && <p className="constructor-hint">A case type has at most {MAX_AUTOMATIONS} automations.</p>}
      <ul>
        {automations.map((one) => {
          const hasError = errors.some(({ automation }) => automation === one.name)
          return (
            <li key={one.name}>
              <div
                className="constructor-row"
                data-chosen={one.name === selected || undefined}
                data-off={one.is_on === false || undefined}
              >
                <button
                  type="button"
                  className="constructor-name"
                  aria-current={one.name === selected || undefined}
                  onClick={() => onSelect(one.name)}
                  onKeyDown={(event) => press(event, one)}
                >
                  <span className="constructor-title automation-label">{one.label.trim() || one.name}</span>
                  <span className="constructor-facts automation-facts">
                    <span>{verbsOf(one) || 'Nothing happens yet'}</span>
                    {one.is_on === false ? <span>off</span> : <Held impact={impactOf(one)} />}
                    {hasError && <strong>has an error</strong>}
                  </span>
                </button>
              </div>
            </li>
          )
        })}
      </ul>
      {isNaming && (
        <NameDialog
          title="Add an automation"
          hint="Everybody who sees the client reads its name, so it says no more than they may know."
          text="Add"
          named={NAMED}
          taken={automations.map(({ label }) => label)}
          onName={(label) => {
            setNaming(false)
            edits.add(label)
          }}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  )
}

function Held({ impact }: { impact: Impact | undefined }) {
  if (!impact) return null
  const count = impact.holds.toLocaleString('en-GB')
  return <span>{`${count} ${impact.holds === 1 ? 'holds' : 'hold'}`}</span>
}

const NAMED = { what: 'automation', label: 'Name', example: 'Open safeguarding concern' }

import { Button, Callout, Classes, DialogBody, DialogFooter, HTMLTable } from '@blueprintjs/core'
import { useRef } from 'react'
import type { Import } from '../../../contract/generated.ts'
import { ChangeText } from '../../cells/ChangeText.tsx'
import { Dialog } from '../../core/Dialog.tsx'
import { LoadingOverlay } from '../../core/LoadingOverlay.tsx'
import { ScrollRegion } from '../../core/ScrollRegion.tsx'
import { type Plan, useImport } from './useImport.ts'

/** Maximum number of rows, or of errors, in the dialog. */
const MAX_ROWS = 200
const STATES = { added: 'Added', changed: 'Changed', unchanged: 'Unchanged' }

interface Props {
  /** Title of the list. */
  into: string
  calls: Import
  params: Record<string, unknown>
  onClose: () => void
}

/** Imports a spreadsheet after a preview of its changes and errors. */
export default function ImportDialog({ into, calls, params, onClose }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const { name, plan, problem, busy, choose, apply } = useImport(calls, params, onClose)
  const changes = plan ? plan.counts.added + plan.counts.changed : 0
  const isReady = plan !== undefined && plan.errors.length === 0 && changes > 0
  return (
    <Dialog
      isOpen
      className="dialog import"
      title={`Import into ${into}`}
      canOutsideClickClose={false}
      isCloseButtonShown={false}
      onClose={onClose}
      onOpened={() => input.current?.focus()}
    >
      <DialogBody>
        <p id="import-help">
          An Excel or CSV file whose first row names the columns, as an export has them. Rows with an ID
          change what is there, rows without one are added; what the file does not name stays as it is.
        </p>
        <label>
          File
          <input
            ref={input}
            type="file"
            accept=".xlsx,.csv"
            aria-describedby="import-help"
            // Reset, so that the same file can be selected again once it is corrected; its name stays until then.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
            }}
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        </label>
        <div aria-live="polite">
          {busy === 'reading' && <p>Reading {name}…</p>}
          {problem && <p className="field-error">{problem}</p>}
          {plan && <ImportPlan name={name} plan={plan} effectsLabel={calls.effectsLabel} />}
        </div>
      </DialogBody>
      <LoadingOverlay text={`Importing ${name} into ${into}…`} show={busy === 'applying'} />
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text={`Import into ${into}`}
              disabled={!isReady}
              loading={busy === 'applying'}
              aria-busy={busy === 'applying'}
              onClick={() => void apply()}
            />
          </>
        }
      />
    </Dialog>
  )
}

interface ImportPlanProps {
  name: string
  plan: Plan
  effectsLabel: string | undefined
}

/** The preview of a spreadsheet's changes, or all its errors. */
function ImportPlan({ name, plan: { counts, rows, errors, effects = [] }, effectsLabel }: ImportPlanProps) {
  if (errors.length > 0) {
    return (
      <Callout intent="danger" compact>
        <h2 className={Classes.HEADING}>
          {`${errors.length} ${errors.length === 1 ? 'mistake' : 'mistakes'} in ${name}`}
        </h2>
        <p>Nothing is imported until they are corrected.</p>
        <ul>
          {errors.slice(0, MAX_ROWS).map(({ row, column, message }) => (
            <li key={`${row} ${column} ${message}`}>
              <strong>
                {column}
                {row}
              </strong>{' '}
              {message}
            </li>
          ))}
        </ul>
        <More limit={MAX_ROWS} of={errors.length} />
      </Callout>
    )
  }
  const changedRows = rows.filter(({ state }) => state !== 'unchanged')
  return (
    <>
      <p>
        {name}: {counts.added} added, {counts.changed} changed, {counts.unchanged} unchanged.
      </p>
      {effects.length > 0 && (
        <>
          <h2 className={Classes.HEADING}>{effectsLabel}</h2>
          <ul>
            {effects.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        </>
      )}
      {changedRows.length > 0 && (
        <ScrollRegion label="What would change" className="import-rows">
          <HTMLTable compact>
            <thead>
              <tr>
                <th scope="col">Row</th>
                <th scope="col">What</th>
                <th scope="col">Values</th>
              </tr>
            </thead>
            <tbody>
              {changedRows.slice(0, MAX_ROWS).map(({ row, label, state, changes }) => (
                <tr key={row}>
                  <td>{row}</td>
                  <th scope="row" className="import-label">
                    {STATES[state]}: {label}
                  </th>
                  <td>
                    <dl className="changes">
                      {changes.map((change) => (
                        <div key={change.field}>
                          <dt>{change.label}</dt>
                          <dd>
                            <ChangeText {...change} />
                          </dd>
                        </div>
                      ))}
                    </dl>
                  </td>
                </tr>
              ))}
            </tbody>
          </HTMLTable>
          <More limit={MAX_ROWS} of={changedRows.length} />
        </ScrollRegion>
      )}
    </>
  )
}

function More({ limit, of }: { limit: number; of: number }) {
  return of > limit ? <p>And {(of - limit).toLocaleString('en-GB')} more.</p> : null
}

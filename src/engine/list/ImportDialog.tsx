import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useRef } from 'react'
import type { Import } from '../../contract/generated.ts'
import { Dialog } from '../page/Dialog.tsx'
import { ImportPlan } from './ImportPlan.tsx'
import { useImport } from './useImport.ts'

interface Props {
  /** What the list is called. */
  into: string
  calls: Import
  params: Record<string, unknown>
  onClose: () => void
}

/** Takes a spreadsheet, shows what it would add and change and what is wrong in it, and does it when told to. */
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
            // The same file may be chosen again, once it has been put right; its name stays until then.
            onClick={({ currentTarget }) => {
              currentTarget.value = ''
            }}
            onChange={({ currentTarget }) => choose(currentTarget.files?.[0])}
          />
        </label>
        <div aria-live="polite">
          {busy === 'reading' && <p>Reading {name}…</p>}
          {problem && <p className="field-error">{problem}</p>}
          {plan && <ImportPlan name={name} plan={plan} />}
        </div>
      </DialogBody>
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

import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { Skeleton } from '../core/Busy.tsx'
import { useRead } from '../core/calls.ts'
import { useContract } from '../core/contract.ts'
import { Dialog } from '../core/Dialog.tsx'
import { ErrorCard } from '../core/ErrorCard.tsx'
import { actionParams } from './useAction.ts'

/** The texts of an action's `explains`, always refetched. */
export default function ExplainDialog({
  action,
  record,
  params,
  onClose,
}: {
  action: Action
  record?: Values
  params: Values
  onClose: () => void
}) {
  const contract = useContract()
  const call = action.explains!
  const options = { params: actionParams(contract, call, { action, record, params }) }
  const {
    data = [],
    error,
    isFetching,
  } = useRead<{ id: number; label: string }[]>(call, options, {
    alwaysRefetch: true,
  })
  return (
    <Dialog className="dialog" title={action.label} isCloseButtonShown={false} isOpen onClose={onClose}>
      <DialogBody>
        {error ? (
          <ErrorCard error={error} />
        ) : isFetching ? (
          <Skeleton lines={2} />
        ) : (
          <ul>
            {data.map(({ id, label }) => (
              <li key={id}>{label}</li>
            ))}
          </ul>
        )}
      </DialogBody>
      <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
    </Dialog>
  )
}

import { Button, DialogBody } from '@blueprintjs/core'
import { useState } from 'react'
import type { RecordPreview } from '../../../contract/generated.ts'
import type { Values } from '../../../contract/when.ts'
import { useSend } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { Dialog } from '../../core/Dialog.tsx'
import { RecordView } from '../../form/RecordView.tsx'

interface Props {
  preview: RecordPreview
  /** What would be sent; undefined after showing the errors of the form. */
  validBody: () => Values | undefined
  /** Shows the errors of a failed call. */
  refuse: (error: unknown) => void
  params: Values
}

/** A button that previews the record that saving would create, as its recipients will see it. */
export default function Preview({
  preview: { label, call, screen: name },
  validBody,
  refuse,
  params,
}: Props) {
  const { screens } = useContract()
  const { mutateAsync, isPending } = useSend<Values>(call)
  const [record, setRecord] = useState<Values>()
  const show = () => {
    const body = validBody()
    if (body) mutateAsync({ params, body }).then(setRecord, refuse)
  }
  const screen = screens[name]
  return (
    <>
      <Button text={label} loading={isPending} onClick={show} />
      <Dialog title={label} isOpen={record !== undefined} onClose={() => setRecord(undefined)}>
        <DialogBody>
          {record && screen.kind === 'form' && <RecordView screen={screen} record={record} />}
        </DialogBody>
      </Dialog>
    </>
  )
}

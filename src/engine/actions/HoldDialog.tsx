import { useContract } from '../core/contract.ts'
import FormDialog from './FormDialog.tsx'
import { useAction } from './useAction.ts'
import type { HoldToPass } from './usePassHolds.ts'

const PASS = 'automations.pass'

/** Asks why a hold is passed, and passes it for the person's next call. */
export default function HoldDialog({ holdToPass, label }: { holdToPass: HoldToPass; label: string }) {
  const { hold, message, answer } = holdToPass
  const form = useContract().endpoints[PASS].body
  const action = {
    title: holdToPass.label,
    label: `${label} all the same`,
    call: PASS,
    form,
    params: { id: 'hold' },
  }
  const record = { hold }
  const { act, busy, waiting } = useAction({ action, record, params: {} })
  return (
    <FormDialog
      {...{ action, record, busy, act, waiting }}
      params={{}}
      intro={`${message}. You can go on if you give a reason, which is kept in the history.`}
      onDone={() => answer(true)}
      onClose={() => answer(false)}
    />
  )
}

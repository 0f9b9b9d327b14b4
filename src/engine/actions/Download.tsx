import { Button, type IconName } from '@blueprintjs/core'
import { useState } from 'react'
import type { Action } from '../../contract/generated.ts'
import type { Values } from '../../contract/when.ts'
import { useContract } from '../core/contract.ts'
import { downloadFile } from '../core/download.ts'

/** A button that downloads the file that a call returns. */
export default function Download({ action, params }: { action: Action; params: Values }) {
  const contract = useContract()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    downloadFile(contract, action.download!, { params })
      // The HTTP client has shown the error.
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return (
    <Button
      icon={action.icon as IconName}
      text={action.label}
      loading={busy}
      aria-busy={busy}
      onClick={save}
    />
  )
}

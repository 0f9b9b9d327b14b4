import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import type { CallOptions } from '../../core/calls.ts'
import { useContract } from '../../core/contract.ts'
import { download } from '../../core/download.ts'

/** Exports all rows of a list to an Excel file, with its columns, filters and order. */
export function ExportButton({
  call,
  callOptions,
  text = 'Export to Excel',
}: {
  call: string
  callOptions: CallOptions
  text?: string
}) {
  const contract = useContract()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    download(contract, call, callOptions)
      // The HTTP client has shown the error.
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return <Button icon="export" text={text} loading={busy} aria-busy={busy} onClick={save} />
}

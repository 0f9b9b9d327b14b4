import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { allows } from '../../contract/access.ts'
import type { ListScreen } from '../../contract/generated.ts'
import { loadable } from '../page/loadable.tsx'
import type { CallOptions } from '../runtime/calls.ts'
import { useContract } from '../runtime/contract.ts'
import { useUser } from '../runtime/user.ts'
import { download } from './download.ts'

const ImportDialog = loadable(() => import('./ImportDialog.tsx'))

interface Props {
  screen: ListScreen
  title: string
  params: Record<string, unknown>
  onOrder: () => void
}

/** What can be done with a list as a whole: take in a spreadsheet, give it another order. */
export function ImportAndOrder({ screen, title, params, onOrder }: Props) {
  const { roles, endpoints } = useContract()
  const { groups } = useUser()
  const [importing, setImporting] = useState(false)
  const may = (call: string) => allows(roles, endpoints[call].roles, groups)
  return (
    <>
      {screen.import && may(screen.import.apply) && (
        <>
          <Button icon="import" text="Import" aria-haspopup="dialog" onClick={() => setImporting(true)} />
          {importing && (
            <ImportDialog
              into={title}
              calls={screen.import}
              params={params}
              onClose={() => setImporting(false)}
            />
          )}
        </>
      )}
      {screen.reorder && may(screen.reorder) && <Button icon="sort" text="Change order" onClick={onOrder} />}
    </>
  )
}

/** Saves all that the list holds, in its columns, under its filters and in its order, as an Excel file. */
export function ExportButton({ call, callOptions }: { call: string; callOptions: CallOptions }) {
  const contract = useContract()
  const [busy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    download(contract, call, callOptions)
      // The HTTP client has shown the error.
      .catch(() => undefined)
      .finally(() => setBusy(false))
  }
  return <Button icon="export" text="Export to Excel" loading={busy} aria-busy={busy} onClick={save} />
}

import { Button } from '@blueprintjs/core'
import { useState } from 'react'
import { allows } from '../../../contract/access.ts'
import type { ListScreen } from '../../../contract/generated.ts'
import { useContract } from '../../core/contract.ts'
import { loadable } from '../../core/loadable.tsx'
import { withStyle } from '../../core/loadStyle.ts'
import { useUser } from '../../core/user.ts'

const ImportDialog = loadable(() => withStyle('import', import('./ImportDialog.tsx')))

interface Props {
  screen: ListScreen
  title: string
  params: Record<string, unknown>
  onOrder: () => void
}

/** Buttons to import a spreadsheet into a list, and to change its order. */
export default function ImportAndOrder({ screen, title, params, onOrder }: Props) {
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

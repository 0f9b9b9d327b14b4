import { Button } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { type Address, itemAt } from '../address.ts'
import { remove } from '../edit.ts'
import { useEditorContext } from '../editorContext.ts'
import { whyNotRemovableAt } from '../fieldUsage.ts'

const WHAT = ['', 'group', 'field', 'column']

/** Removes a group, field or column; where that may not be, says why instead. */
export function RemoveButton({ address }: { address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const reason = useId()
  const why = whyNotRemovableAt(editorContext, address)
  const label = itemAt(editorContext.groups, address)?.label
  const go = () => {
    if (why) return editorContext.announce(why)
    editorContext.edit((groups) => remove(groups, address), { what: 'Removed', at: address })
    editorContext.select({ address: address.slice(0, -1), focus: true })
    editorContext.announce(`${label} removed`)
  }
  return (
    <div className="constructor-setting constructor-remove">
      <Button
        icon="trash"
        intent={why ? 'none' : 'danger'}
        variant="outlined"
        text={`Remove this ${WHAT[address.length]}`}
        aria-disabled={why !== undefined}
        aria-describedby={why && reason}
        onClick={go}
      />
      {why && (
        <p className="constructor-hint" id={reason}>
          {why}.
        </p>
      )}
    </div>
  )
}

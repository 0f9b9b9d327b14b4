import { Button } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { type Address, itemAt } from '../state/address.ts'
import { duplicateItems } from '../state/duplicate.ts'
import { remove } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { whyNotRemovableAt } from '../state/fieldUsage.ts'

const WHAT = ['', 'group', 'field', 'column']

/** Duplicates or removes a group, field or column. */
export function ItemActions({ address }: { address: Address }): ReactElement {
  const editorContext = useEditorContext()
  const copy = () => {
    const [first] = duplicateItems(editorContext, [address])
    if (first) editorContext.select({ address: first, focus: true })
  }
  return (
    <div className="constructor-setting constructor-item-actions">
      <Button
        icon="duplicate"
        variant="outlined"
        text={`Duplicate this ${WHAT[Math.min(address.length, 3)]}`}
        onClick={copy}
      />
      <RemoveButton address={address} />
    </div>
  )
}

/** Removes a group, field or column, or says why it cannot be removed. */
function RemoveButton({ address }: { address: Address }): ReactElement {
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
    <>
      <Button
        icon="trash"
        intent={why ? 'none' : 'danger'}
        variant="outlined"
        text={`Remove this ${WHAT[Math.min(address.length, 3)]}`}
        aria-disabled={why !== undefined}
        aria-describedby={why && reason}
        onClick={go}
      />
      {why && (
        <p className="constructor-hint" id={reason}>
          {why}.
        </p>
      )}
    </>
  )
}

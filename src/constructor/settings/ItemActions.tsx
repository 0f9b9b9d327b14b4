import { Button } from '@blueprintjs/core'
import { type ReactElement, useId } from 'react'
import { type Address, fieldAt, itemAt } from '../state/address.ts'
import type { Draft } from '../state/caseType.ts'
import { duplicateItems } from '../state/duplicate.ts'
import { remove } from '../state/edit.ts'
import { useEditorContext } from '../state/editorContext.ts'
import { reservedNames, whyNotRemovableAt } from '../state/fieldUsage.ts'
import { canSplit, splitField } from '../state/takeAnswers.ts'

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
      <SplitButton address={address} />
      <RemoveButton address={address} />
    </div>
  )
}

/** Splits a published field with choices into two that both take its answers. */
function SplitButton({ address }: { address: Address }): ReactElement | null {
  const editorContext = useEditorContext()
  const { meta, before, groups, editDraft, select, announce } = editorContext
  const field = fieldAt(groups, address)
  if (!field || !canSplit(editorContext, field, address)) return null
  const split = () => {
    const taken = reservedNames(editorContext)
    const change = (draft: Draft) => splitField(draft, { meta, before }, address, taken)
    const to = change({
      label: '',
      tests: [],
      automations: [],
      deadlines: [],
      case_meta: groups,
      issue_meta: groups,
    }).address
    editDraft((draft) => change(draft).draft, { what: 'Split', at: to })
    select({ address: to, focus: true })
    announce(`${field.label} split into two: both take its answers`)
  }
  return <Button icon="split-columns" variant="outlined" text="Split this field into two" onClick={split} />
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

import { Button } from '@blueprintjs/core'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactElement, useState } from 'react'
import ConfirmDialog from '../../engine/actions/ConfirmDialog.tsx'
import { makeCall } from '../../engine/core/calls.ts'
import { useContract } from '../../engine/core/contract.ts'
import { notify } from '../../engine/core/notices.ts'
import type { EditorState } from '../state/useEditor.ts'

/** Discards the draft of a published case type, or deletes an unpublished one for good; both after confirmation. */
export function DiscardButton({
  editor,
  onDeleted,
}: {
  editor: EditorState
  onDeleted: () => void
}): ReactElement | null {
  const contract = useContract()
  const client = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const [busy, setBusy] = useState(false)
  const { base, conflict, isDirty, discard } = editor
  const isNew = base.version === 0
  if (conflict || (!isNew && !isDirty)) return null
  const remove = async () => {
    setBusy(true)
    try {
      // Only the list is invalidated: refetching the deleted case type would fail.
      await makeCall(contract, 'caseTypes.remove', { params: { id: base.id } })
      void client.invalidateQueries({ queryKey: ['call', 'caseTypes.list'] })
      notify({ kind: 'success', text: `“${base.label}” is deleted` })
      onDeleted()
    } catch {
      // The HTTP client shows the error.
    } finally {
      setBusy(false)
      setAsking(false)
    }
  }
  const discardDraft = () => {
    discard()
    setAsking(false)
  }
  const action = isNew
    ? {
        label: 'Delete',
        confirm: 'Delete “{label}” for good? It was never published, so there are no cases of it.',
        danger: true as const,
      }
    : {
        label: 'Discard the draft',
        confirm: 'Discard all changes since version {version}? They are gone for all administrators.',
        danger: true as const,
      }
  return (
    <>
      <Button
        size="small"
        variant="minimal"
        text={action.label}
        aria-haspopup="dialog"
        onClick={() => setAsking(true)}
      />
      {isAsking && (
        <ConfirmDialog
          action={action}
          record={{ label: base.label, version: base.version }}
          busy={busy}
          onClose={() => setAsking(false)}
          onYes={() => (isNew ? void remove() : discardDraft())}
        />
      )}
    </>
  )
}

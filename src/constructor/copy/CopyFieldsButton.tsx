import { Button } from '@blueprintjs/core'
import { type ReactElement, useState } from 'react'
import { loadable } from '../../engine/core/loadable.tsx'
import type { EditorState } from '../state/useEditor.ts'

const CopyFieldsDialog = loadable(() => import('./CopyFieldsDialog.tsx'))

/** Opens the dialog that copies fields of another case type into the open form. */
export function CopyFieldsButton({ editor }: { editor: EditorState }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="add-to-folder" text="Copy fields…" aria-haspopup="dialog" onClick={() => setOpen(true)} />
      {isOpen && <CopyFieldsDialog editor={editor} onClose={() => setOpen(false)} />}
    </>
  )
}

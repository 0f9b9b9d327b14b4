import { Button } from '@blueprintjs/core'
import { type ReactElement, useEffect, useState } from 'react'
import { loadable } from '../../engine/core/loadable.tsx'
import { isDialogOpen } from '../../engine/core/shortcuts.ts'
import type { EditorState } from '../state/useEditor.ts'

const ReplaceDialog = loadable(() => import('./ReplaceDialog.tsx'))

/** Opens find and replace; so does Ctrl+Shift+F, because Ctrl+F is the browser's. */
export function ReplaceButton({ editor }: { editor: EditorState }): ReactElement {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || !event.shiftKey || event.key.toLowerCase() !== 'f') return
      if (isDialogOpen()) return
      event.preventDefault()
      setOpen(true)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <Button
        icon="search-text"
        aria-label="Find and replace"
        title="Find and replace (Ctrl+Shift+F)"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <ReplaceDialog editor={editor} onClose={() => setOpen(false)} />}
    </>
  )
}

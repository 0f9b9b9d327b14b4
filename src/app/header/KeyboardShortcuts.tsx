import { Button } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { loadable } from '../../engine/page/loadable.tsx'
import { isPageShortcut } from '../../engine/runtime/shortcuts.ts'

const ShortcutsDialog = loadable(() => import('./ShortcutsDialog.tsx'))

/** Opens the list of keys, by its button and by '?'. */
export function KeyboardShortcuts() {
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key === '?' && isPageShortcut(event)) setOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <>
      <Button
        className="keys-button"
        variant="minimal"
        icon="key-command"
        aria-label="Keyboard shortcuts"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      />
      {isOpen && <ShortcutsDialog onClose={() => setOpen(false)} />}
    </>
  )
}

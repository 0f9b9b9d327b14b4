import { Button } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useContract } from '../../engine/core/contract.ts'
import { ErrorBoundary } from '../../engine/core/ErrorBoundary.tsx'
import { loadable } from '../../engine/core/loadable.tsx'
import { isPageShortcut } from '../../engine/core/shortcuts.ts'
import { useUser } from '../../engine/core/user.ts'
import { type Command, commandsOf, run } from '../core/commands.ts'

const ShortcutsDialog = loadable(() => import('./ShortcutsDialog.tsx'))

const SECOND_KEY_TIMEOUT_MS = 1500

/** Runs commands by their shortcuts, and opens the list of shortcuts by its button or by '?'. */
export function KeyboardShortcuts() {
  const [isOpen, setOpen] = useState(false)
  const contract = useContract()
  const { groups } = useUser()
  const navigate = useNavigate()
  useEffect(() => {
    const commands = commandsOf(contract, groups)
    let first = ''
    let timer = 0
    const reset = () => {
      first = ''
      clearTimeout(timer)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || !isPageShortcut(event)) return
      if (event.key === '?') return setOpen(true)
      if (event.key.length !== 1) return
      const keys = first ? `${first} ${event.key}` : event.key
      reset()
      const command = commands.find((one) => one.keys === keys)
      if (command) {
        event.preventDefault()
        run(command, navigate)
      } else if (commands.some((one) => one.keys?.startsWith(`${keys} `))) {
        first = keys
        timer = window.setTimeout(reset, SECOND_KEY_TIMEOUT_MS)
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      reset()
      removeEventListener('keydown', onKeyDown)
    }
  }, [contract, groups, navigate])
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
      {isOpen && (
        <ErrorBoundary what="The list of keys" fallback={null}>
          <ShortcutsDialog commands={withKeys(contract, groups)} onClose={() => setOpen(false)} />
        </ErrorBoundary>
      )}
    </>
  )
}

function withKeys(...person: Parameters<typeof commandsOf>): Command[] {
  return commandsOf(...person).filter(({ keys }) => keys)
}

import { Button } from '@blueprintjs/core'
import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { loadable } from '../../engine/page/loadable.tsx'
import { useContract } from '../../engine/runtime/contract.ts'
import { isPageShortcut } from '../../engine/runtime/shortcuts.ts'
import { useUser } from '../../engine/runtime/user.ts'
import { type Command, commandsOf, run } from '../commands.ts'

const ShortcutsDialog = loadable(() => import('./ShortcutsDialog.tsx'))

/** How long the first of two keys waits for the second, in ms. */
const BETWEEN_KEYS = 1500

/** Does what keys say that lead to screens, and opens the list of keys, by its button and by '?'. */
export function KeyboardShortcuts() {
  const [isOpen, setOpen] = useState(false)
  const contract = useContract()
  const { groups } = useUser()
  const navigate = useNavigate()
  useEffect(() => {
    const commands = commandsOf(contract, groups)
    let first = ''
    let timer = 0
    const forget = () => {
      first = ''
      clearTimeout(timer)
    }
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.repeat || !isPageShortcut(event)) return
      if (event.key === '?') return setOpen(true)
      if (event.key.length !== 1) return
      const keys = first ? `${first} ${event.key}` : event.key
      forget()
      const command = commands.find((one) => one.keys === keys)
      if (command) {
        event.preventDefault()
        run(command, navigate)
      } else if (commands.some((one) => one.keys?.startsWith(`${keys} `))) {
        first = keys
        timer = window.setTimeout(forget, BETWEEN_KEYS)
      }
    }
    addEventListener('keydown', onKeyDown)
    return () => {
      forget()
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
      {isOpen && <ShortcutsDialog commands={withKeys(contract, groups)} onClose={() => setOpen(false)} />}
    </>
  )
}

function withKeys(...person: Parameters<typeof commandsOf>): Command[] {
  return commandsOf(...person).filter(({ keys }) => keys)
}

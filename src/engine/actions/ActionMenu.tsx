import { Classes, Icon, type IconName } from '@blueprintjs/core'
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router-dom'
import type { Action } from '../../contract/generated.ts'
import { downloadFile } from '../list/download.ts'
import { focusNextRow } from '../page/nextRow.ts'
import { useContract } from '../runtime/contract.ts'
import { linkTo } from '../runtime/link.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import { useUser } from '../runtime/user.ts'
import { ActionDialog, hasDialog } from './ActionButton.tsx'
import { PrintContext } from './print.ts'
import { type ActionContext, openActionBeside, useAction } from './useAction.ts'
import { useOffered } from './useOffered.ts'

interface Props extends Omit<ActionContext, 'action'> {
  /** What the button is called, with `about` behind it. */
  label: string
  about?: string
  icon?: string
  /** What the button shows where it has no icon. */
  text?: string
  items: Action[]
  /** The letter that presses the button for its row. */
  shortcut?: string
  small?: boolean
}

/** A button that opens a menu of actions; in a table the focus is in the next row once one is done. */
export function ActionMenu({ label, about, icon, text, items, shortcut, small, ...acting }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<'first' | 'last'>()
  const [chosen, setChosen] = useState<Action>()
  const offered = useOffered(items, acting.record)
  if (offered.length === 0) return null
  const name = about ? `${label} ${about}` : label
  const close = () => {
    setOpened(undefined)
    button.current?.focus({ preventScroll: true })
  }
  const onDone = (reply: unknown) => {
    acting.onDone?.(reply)
    focusNextRow(button.current)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    setOpened(event.key === 'ArrowDown' ? 'first' : 'last')
  }
  return (
    <>
      {/* Not Blueprint's: that presses itself when the key that chose an item is let go. */}
      <button
        ref={button}
        type="button"
        className={[Classes.BUTTON, Classes.MINIMAL, small && Classes.SMALL].filter(Boolean).join(' ')}
        aria-label={name}
        title={label}
        aria-haspopup="menu"
        aria-expanded={opened !== undefined}
        aria-controls={opened ? id : undefined}
        data-key={shortcut}
        onClick={() => setOpened(opened ? undefined : 'first')}
        onKeyDown={onKeyDown}
      >
        {icon ? <Icon icon={icon as IconName} aria-hidden /> : (text ?? label)}
      </button>
      {opened && (
        <Menu {...{ id, label, button }} focused={opened} onClose={close}>
          {offered.map((item) => (
            <Item
              key={item.label}
              action={item}
              record={acting.record}
              params={acting.params}
              onClose={close}
              onChoose={() => {
                // The focus goes back first: a dialog returns it to where it was opened.
                close()
                setChosen(item)
              }}
            />
          ))}
        </Menu>
      )}
      {chosen && (
        <Chosen {...acting} {...{ about, onDone }} action={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

interface MenuProps {
  id: string
  label: string
  button: RefObject<HTMLButtonElement | null>
  /** Which item has the focus first. */
  focused: 'first' | 'last'
  onClose: () => void
  children: ReactNode
}

const STEPS: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at === last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Stands below its button, over the page: a list scrolls, and would cut it off. */
function Menu({ id, label, button, focused, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const itemsOf = () => [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const box = menu.current!
    const { right, bottom, top } = button.current!.getBoundingClientRect()
    const hasRoom = bottom + box.offsetHeight < window.innerHeight
    box.style.left = `${Math.max(4, right - box.offsetWidth)}px`
    box.style.top = `${hasRoom ? bottom + 2 : Math.max(4, top - box.offsetHeight - 2)}px`
    itemsOf()
      .at(focused === 'first' ? 0 : -1)
      ?.focus()
    const closeOutside = ({ target }: Event) => {
      if (!box.contains(target as Node) && !button.current?.contains(target as Node)) latest.current()
    }
    const closeWhereMoved = ({ target }: Event) => {
      if (target !== box) latest.current()
    }
    document.addEventListener('pointerdown', closeOutside)
    window.addEventListener('scroll', closeWhereMoved, true)
    window.addEventListener('resize', closeWhereMoved)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      window.removeEventListener('scroll', closeWhereMoved, true)
      window.removeEventListener('resize', closeWhereMoved)
    }
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event
    if (key === 'Escape' || key === 'Tab') onClose()
    const items = itemsOf()
    const at = items.indexOf(document.activeElement as HTMLElement)
    const next = STEPS[key] ? items[STEPS[key](at, items.length - 1)] : beginningWith(key, items, at)
    next?.focus()
    if (next || key === 'Escape') event.preventDefault()
    event.stopPropagation()
  }
  return createPortal(
    <div
      ref={menu}
      id={id}
      className="action-menu"
      role="menu"
      tabIndex={-1}
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {children}
    </div>,
    document.body,
  )
}

/** The next item whose name begins with a letter. */
function beginningWith(key: string, items: HTMLElement[], at: number): HTMLElement | undefined {
  if (key.length !== 1 || key === ' ') return undefined
  const inTurn = [...items.slice(at + 1), ...items.slice(0, at + 1)]
  return inTurn.find(({ textContent }) => textContent.toLowerCase().startsWith(key.toLowerCase()))
}

function Item({
  action,
  record,
  params,
  onClose,
  onChoose,
}: ActionContext & { onClose: () => void; onChoose: () => void }) {
  const user = useUser()
  const to = action.to && linkTo(action.to, { ...params, ...record })
  const common = { role: 'menuitem', tabIndex: -1, className: action.danger && 'action-menu-danger' }
  if (to)
    return (
      <Link {...common} to={to} onClick={onClose}>
        {action.label}
      </Link>
    )
  if (action.to) return null
  const opensDialog = action.beside || hasDialog(action, { record, user })
  return (
    <button {...common} type="button" aria-haspopup={opensDialog ? 'dialog' : undefined} onClick={onChoose}>
      {action.label}
    </button>
  )
}

/** The action that was chosen: done at once, or once its question is answered. */
function Chosen({ onClose, about, ...acting }: ActionContext & { about?: string; onClose: () => void }) {
  const { action, record, params } = acting
  const { act, busy } = useAction(acting)
  const contract = useContract()
  const print = useContext(PrintContext)
  const isAsking = hasDialog(action, { record, user: useUser() })
  const start = async () => {
    if (action.print) print()
    else if (action.beside) openActionBeside(action, { ...params, ...record })
    // The HTTP client has shown the error.
    else if (action.download) await downloadFile(contract, action.download, { params }).catch(() => undefined)
    else await act().catch(notifyUnhandled)
  }
  useEffect(() => {
    if (!isAsking) void start().then(onClose)
  }, [])
  return isAsking ? <ActionDialog {...acting} {...{ about, busy, act, onClose }} /> : null
}

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
import { useContract } from '../core/contract.ts'
import { downloadFile } from '../core/download.ts'
import { linkTo } from '../core/link.ts'
import { focusNextRow } from '../core/nextRow.ts'
import { notifyUnhandled } from '../core/notifyUnhandled.ts'
import { useUser } from '../core/user.ts'
import { ActionDialog, HoldDialog, hasDialog } from './ActionButton.tsx'
import { PrintContext } from './print.ts'
import { type ActionContext, openActionInSidePanel, useAction } from './useAction.ts'
import { useOfferedActions } from './useOfferedActions.ts'

interface Props extends Omit<ActionContext, 'action'> {
  /** Accessible name of the button, followed by `about`. */
  label: string
  about?: string
  icon?: string
  /** Visible text of the button if it has no icon. */
  text?: string
  items: Action[]
  /** Keyboard shortcut, a letter, that presses the button of the focused row. */
  shortcut?: string
  small?: boolean
}

/** A button that opens a menu of actions. In a table, the focus moves to the next row after an action. */
export function ActionMenu({ label, about, icon, text, items, shortcut, small, ...acting }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState<'first' | 'last'>()
  const [chosen, setChosen] = useState<Action>()
  const offered = useOfferedActions(items, acting.record)
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
      {/* Not Blueprint's button, which clicks itself on the keyup of the key that selected an item. */}
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
                // Restore the focus first: on closing, a dialog returns it to the element that had it on opening.
                close()
                setChosen(item)
              }}
            />
          ))}
        </Menu>
      )}
      {chosen && (
        <SelectedAction
          {...acting}
          {...{ about, onDone }}
          action={chosen}
          onClose={() => setChosen(undefined)}
        />
      )}
    </>
  )
}

interface MenuProps {
  id: string
  label: string
  button: RefObject<HTMLButtonElement | null>
  /** The item that gets the initial focus. */
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

/** The menu, placed below its button by a portal, because a list that scrolls would clip it. */
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

/** The next item whose text begins with a letter. */
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
  const opensDialog = action.sidePanel || hasDialog(action, { record, user })
  return (
    <button {...common} type="button" aria-haspopup={opensDialog ? 'dialog' : undefined} onClick={onChoose}>
      {action.label}
    </button>
  )
}

/** Runs the selected action, at once or after its dialog. */
function SelectedAction({
  onClose,
  about,
  ...acting
}: ActionContext & { about?: string; onClose: () => void }) {
  const { action, record, params } = acting
  const { act, busy, waiting, holdToPass } = useAction(acting)
  const contract = useContract()
  const print = useContext(PrintContext)
  const needsDialog = hasDialog(action, { record, user: useUser() })
  const start = async () => {
    if (action.print) print()
    else if (action.sidePanel) openActionInSidePanel(action, { ...params, ...record })
    // The HTTP client has shown the error.
    else if (action.download) await downloadFile(contract, action.download, { params }).catch(() => undefined)
    else await act().catch(notifyUnhandled)
  }
  useEffect(() => {
    if (!needsDialog) void start().then(onClose)
  }, [])
  return (
    <>
      {needsDialog && <ActionDialog {...acting} {...{ about, busy, act, waiting, onClose }} />}
      {holdToPass && <HoldDialog holdToPass={holdToPass} label={action.label} />}
    </>
  )
}

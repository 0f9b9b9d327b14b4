import { Classes, Icon, type IconName } from '@blueprintjs/core'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { Link } from 'react-router-dom'
import type { Action } from '../../contract/generated.ts'
import { focusNextRow } from '../page/nextRow.ts'
import { linkTo } from '../runtime/link.ts'
import { notifyUnhandled } from '../runtime/notifyUnhandled.ts'
import { useUser } from '../runtime/user.ts'
import { ActionDialog, hasDialog } from './ActionButton.tsx'
import { type ActionContext, useAction } from './useAction.ts'
import { useOffered } from './useOffered.ts'

interface Props extends ActionContext {
  about?: string
  small?: boolean
}

/** A button that opens a menu of actions; once one is done the focus is in the next row. */
export function ActionMenu({ action, record, params, about, small }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<Action>()
  const items = useOffered(action.menu!, record)
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const onDone = () => focusNextRow(button.current)
  return (
    <>
      {/* Not Blueprint's: that presses itself when the key that chose an item is let go. */}
      <button
        ref={button}
        type="button"
        className={[Classes.BUTTON, Classes.MINIMAL, small && Classes.SMALL].filter(Boolean).join(' ')}
        aria-label={about ? `${action.label} ${about}` : action.label}
        title={action.label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        data-key={action.key}
        onClick={() => setOpen(!isOpen)}
      >
        {action.icon ? <Icon icon={action.icon as IconName} aria-hidden /> : action.label}
      </button>
      {isOpen && (
        <Menu id={id} label={action.label} anchor={button.current!} onClose={close}>
          {items.map((item) => (
            <Item
              key={item.label}
              {...{ record, params, onDone }}
              action={item}
              onChoose={() => setChosen(item)}
              onClose={close}
            />
          ))}
        </Menu>
      )}
      {chosen && (
        <Chosen {...{ record, params, about, onDone }} action={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

interface MenuProps {
  id: string
  label: string
  anchor: HTMLElement
  onClose: () => void
  children: React.ReactNode
}

const STEPS: Partial<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at === last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

/** Stands below its button, over the page: a list scrolls, and would cut it off. */
function Menu({ id, label, anchor, onClose, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const itemsOf = () => [...menu.current!.querySelectorAll<HTMLElement>('[role=menuitem]')]
  const latest = useRef(onClose)
  latest.current = onClose
  useEffect(() => {
    const box = menu.current!
    const { right, bottom, top } = anchor.getBoundingClientRect()
    const hasRoom = bottom + box.offsetHeight < window.innerHeight
    box.style.left = `${Math.max(4, right - box.offsetWidth)}px`
    box.style.top = `${hasRoom ? bottom + 2 : top - box.offsetHeight - 2}px`
    itemsOf()[0]?.focus()
    const closeOutside = ({ target }: Event) => {
      if (!box.contains(target as Node) && !anchor.contains(target as Node)) latest.current()
    }
    const closeWhereMoved = () => latest.current()
    document.addEventListener('pointerdown', closeOutside)
    window.addEventListener('resize', closeWhereMoved)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      window.removeEventListener('resize', closeWhereMoved)
    }
  }, [])
  const onKey = (event: KeyboardEvent) => {
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    const step = STEPS[event.key]
    if (step) {
      const items = itemsOf()
      items[step(items.indexOf(document.activeElement as HTMLElement), items.length - 1)]?.focus()
    }
    if (step || event.key === 'Escape') event.preventDefault()
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
      onKeyDown={onKey}
    >
      {children}
    </div>,
    document.body,
  )
}

function Item({
  onChoose,
  onClose,
  ...acting
}: ActionContext & { onChoose: () => void; onClose: () => void }) {
  const { action, record, params } = acting
  const to = action.to && linkTo(action.to, { ...params, ...record })
  if (to)
    return (
      <Link role="menuitem" tabIndex={-1} to={to}>
        {action.label}
      </Link>
    )
  if (action.to) return null
  const choose = () => {
    onClose()
    onChoose()
  }
  return (
    <button type="button" role="menuitem" tabIndex={-1} onClick={choose}>
      {action.label}
    </button>
  )
}

/** The action that was chosen: done at once, or once its question is answered. */
function Chosen({ onClose, about, ...acting }: Props & { onClose: () => void }) {
  const { act, busy } = useAction(acting)
  const isAsking = hasDialog(acting.action, { record: acting.record, user: useUser() })
  useEffect(() => {
    if (!isAsking) void act().catch(notifyUnhandled).then(onClose)
  }, [])
  return isAsking ? <ActionDialog {...acting} {...{ about, busy, act, onClose }} /> : null
}

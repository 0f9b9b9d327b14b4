import { Button } from '@blueprintjs/core'
import {
  type CSSProperties,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'

/**
 * What a page or row offers besides, behind “…”: a button that shows and hides the others, which stay mounted because
 * their dialogs belong to them. It is fixed to the window, so that no scrolling table cuts it off.
 */
export function MoreActions({
  about,
  small,
  children,
}: {
  about?: string
  small?: boolean
  children: ReactNode
}) {
  const id = useId()
  const [place, setPlace] = useState<CSSProperties>()
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isOpen = place !== undefined
  useEffect(() => {
    if (!isOpen) return
    const close = () => setPlace(undefined)
    const closeOutside = ({ target }: Event) => {
      if (!box.current?.contains(target as Node)) close()
    }
    document.addEventListener('pointerdown', closeOutside)
    window.addEventListener('scroll', close, true)
    window.addEventListener('resize', close)
    return () => {
      document.removeEventListener('pointerdown', closeOutside)
      window.removeEventListener('scroll', close, true)
      window.removeEventListener('resize', close)
    }
  }, [isOpen])
  const items = () => [...box.current!.querySelectorAll<HTMLElement>('.more-actions-items :is(a, button)')]
  const toggle = () => {
    const { bottom, right } = button.current!.getBoundingClientRect()
    setPlace(isOpen ? undefined : { top: bottom + 4, right: document.documentElement.clientWidth - right })
  }
  const close = () => {
    button.current?.focus()
    setPlace(undefined)
  }
  // A dialog that an item opened is above the page, but below this in the tree of components.
  const isInside = ({ target }: { target: EventTarget }) => box.current!.contains(target as Node)
  const onKeyDown = (event: KeyboardEvent) => {
    if (!isInside(event)) return
    if (event.key === 'Escape' && isOpen) close()
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    if (!isOpen) toggle()
    const all = items()
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = at < 0 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length
    // Once the items are shown: what is hidden takes no focus.
    requestAnimationFrame(() => all[next]?.focus())
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the button and the items in it
    <div ref={box} className="more-actions" onKeyDown={onKeyDown}>
      <Button
        ref={button}
        variant="minimal"
        size={small ? 'small' : 'medium'}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-label={about ? `More actions for ${about}` : 'More actions'}
        text="…"
        onClick={toggle}
      />
      {/* The focus goes back first: a dialog returns it to where it was opened. */}
      <div
        id={id}
        className="more-actions-items"
        hidden={!isOpen}
        style={place}
        onClickCapture={(event) => isInside(event) && close()}
      >
        {children}
      </div>
    </div>
  )
}

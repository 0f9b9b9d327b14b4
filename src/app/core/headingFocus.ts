import { useEffect, useRef } from 'react'

/** Moves the focus to the page's heading after navigation, so that screen readers announce the page. */
export function useHeadingFocus(pathname: string): void {
  const before = useRef(pathname)
  // Address at the last key press or click. It is the new one if the user acted after the URL changed, which may be
  // long before the new page is rendered.
  const actedAt = useRef<string>(undefined)
  useEffect(() => {
    const onAct = () => {
      actedAt.current = location.pathname
    }
    for (const name of ACTS) addEventListener(name, onAct, true)
    return () => {
      for (const name of ACTS) removeEventListener(name, onAct, true)
    }
  }, [])
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    const isInterrupted = actedAt.current === pathname
    actedAt.current = undefined
    return isInterrupted ? undefined : focusHeading()
  }, [pathname])
}

const ACTS = ['keydown', 'pointerdown'] as const

function focusHeading(): () => void {
  const main = document.getElementById('main')
  if (!main) return () => {}
  // A page that is still loading has no heading yet; a user who acts meanwhile is not interrupted.
  const observer = new MutationObserver(() => focusIfReady())
  const stop = () => {
    observer.disconnect()
    for (const name of ACTS) removeEventListener(name, stop, true)
    removeEventListener('focusin', stopAtFocus, true)
  }
  // Speech and switch control focus a field without key or pointer events.
  const stopAtFocus = ({ target }: FocusEvent) => {
    if (target !== main && target !== document.body) stop()
  }
  const focusIfReady = () => {
    const heading = main.querySelector('h1')
    if (!heading && !isInUse(main)) return
    stop()
    if (isInUse(main) || !heading) return
    heading.tabIndex = -1
    heading.focus({ preventScroll: true })
    scrollTo(0, 0)
  }
  for (const name of ACTS) addEventListener(name, stop, true)
  addEventListener('focusin', stopAtFocus, true)
  observer.observe(main, { childList: true, subtree: true })
  focusIfReady()
  return stop
}

/** True if an element that is still in the page has the focus, such as the tab that was just selected. */
function isInUse(main: HTMLElement): boolean {
  const at = document.activeElement
  return at !== null && at !== main && main.contains(at)
}

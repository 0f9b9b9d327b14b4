import type { Dialog as Library, Drawer as LibraryDrawer } from '@blueprintjs/core'
import { type ComponentProps, type ComponentType, useEffect, useState } from 'react'
import { trackFocus } from './focusTracking.ts'
import { loadable } from './loadable.tsx'

const fetchOverlays = () => import('./overlays.ts')

/** Preloads the dialog code, because the server may be unreachable when a dialog must open. */
export const preloadDialogs = (): void => void fetchOverlays().catch(() => undefined)

/** Blueprint's dialog, lazy-loaded when one opens, because most pages never open one. */
export const Dialog = whenOpen<ComponentProps<typeof Library>>(
  loadable(async () => ({ default: (await fetchOverlays()).Dialog })),
)

/** Blueprint's drawer, lazy-loaded likewise. */
export const Drawer = whenOpen<ComponentProps<typeof LibraryDrawer>>(
  loadable(async () => ({ default: (await fetchOverlays()).Drawer })),
)

function whenOpen<P extends { isOpen?: boolean; onOpened?: (dialog: HTMLElement) => void }>(
  Component: ComponentType<P>,
): ComponentType<P> {
  return function WhenOpen(props) {
    // Stay mounted afterwards, for the closing transition.
    const [wasOpen, setWasOpen] = useState(false)
    if (props.isOpen && !wasOpen) setWasOpen(true)
    useReturnFocus(props.isOpen)
    useEscapeOutside(props.isOpen)
    return wasOpen ? <Component onOpened={focusFirst} {...props} shouldReturnFocusOnClose={false} /> : null
  }
}

/**
 * Restores the focus when a dialog closes, even if it is unmounted while it is open; also for dialogs that follow each
 * other, in the component around them.
 */
export function useReturnFocus(isOpen = false): void {
  useEffect(() => {
    if (!isOpen) return
    const { restore } = trackFocus()
    return () => {
      const closing = document.activeElement?.closest('[role="dialog"], [role="alertdialog"]')
      // By then the dialog has been unmounted, or another one that follows it has the focus.
      requestAnimationFrame(() => restore(closing))
    }
  }, [isOpen])
}

/**
 * Hands Escape to the dialog on top while the focus is outside of it: its form may not have loaded yet, or the control
 * that had the focus may be gone. Blueprint closes a dialog only by keys within it.
 */
function useEscapeOutside(isOpen = false): void {
  useEffect(() => {
    if (!isOpen) return
    const handOn = (event: KeyboardEvent) => {
      const { key, defaultPrevented, target } = event
      if (key !== 'Escape' || defaultPrevented || (target as Element).closest(OPEN)) return
      // Every open dialog has this listener; only the first one may pass the key on.
      event.stopImmediatePropagation()
      const dialogs = document.querySelectorAll(`${OPEN} :is([role="dialog"], [role="alertdialog"])`)
      dialogs[dialogs.length - 1]?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
    document.addEventListener('keydown', handOn)
    return () => document.removeEventListener('keydown', handOn)
  }, [isOpen])
}

const OPEN = '.bp6-overlay.bp6-overlay-open'

/** Runs when the dialog has appeared, by which time the user may have gone on to another control in it. */
function focusFirst(dialog: HTMLElement): void {
  if (dialog.contains(document.activeElement)) return
  dialog.querySelector<HTMLElement>('input, select, textarea, button, a[href]')?.focus()
}
